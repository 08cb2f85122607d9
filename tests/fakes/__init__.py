"""Stand-ins for the outside world. Each behaves as the real thing does for what the tests use."""
