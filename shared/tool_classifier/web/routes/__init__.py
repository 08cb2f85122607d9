"""The API's routes, one module a concern; each returns a router with every dependency given."""
