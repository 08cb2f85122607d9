"""The composition root: the only room that chooses concrete classes. Heavy SDKs are imported inside its builders.

`resources` is what every function shares, `indexing` and `answering` build on it, `functions` makes the Lambda apps.
They are apart so that a function imports only what it uses.
"""
