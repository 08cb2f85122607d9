"""Deploys the untouched template to a local cloud (ministack) and asks through its own routes: `make rehearse`."""
