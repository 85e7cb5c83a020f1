"""What the routes of the API do, a file per kind."""
