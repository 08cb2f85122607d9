"""Builds the Lambda layers: run by `shared/Makefile` with Lambda's Python, nothing but the standard library needed.

Not part of any layer. (A folder named `build` would be ignored by git and by the linters.)
"""
