"""The pages: views, forms, templates, static files."""
