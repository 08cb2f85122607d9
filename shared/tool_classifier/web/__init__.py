"""The HTTP edge: `app` (routes), `schemas` (bodies), `problems` (errors as RFC 9457)."""
