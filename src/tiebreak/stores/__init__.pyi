from tiebreak.stores.errors import StoreError as StoreError
from tiebreak.stores.opening import open_store as open_store
from tiebreak.stores.storage import Store as Store
