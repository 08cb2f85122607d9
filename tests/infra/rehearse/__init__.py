"""A deployment of the untouched template to a local cloud (ministack), asked through its own routes: `make rehearse`."""
