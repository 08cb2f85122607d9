#!/bin/sh
# Started by the Lambda Web Adapter's exec wrapper, which forwards requests to this port and streams what comes back.
exec python -m uvicorn --factory app:asgi --host 127.0.0.1 --port "${AWS_LWA_PORT:-8080}" --no-access-log --log-level warning --lifespan off
