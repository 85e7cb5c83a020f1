from tiebreak.checking.claims import DocumentCheck as DocumentCheck
from tiebreak.checking.document import check as check
from tiebreak.checking.reading import is_document as is_document
