"""Text before any model sees it: `normalise`, `language`, `analyzer` (tokens -> sparse vector)."""
