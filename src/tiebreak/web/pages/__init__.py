"""Pages: a table of them, their templates in `templates/`, their styles and scripts in `assets/`."""
