"""Pages: a table of them, their templates in `templates/`, their styles and scripts in `assets/`."""

from tiebreak.web.pages.table import ASSETS, PAGES, Page, page_routes, problem_page

__all__ = ["ASSETS", "PAGES", "Page", "page_routes", "problem_page"]
