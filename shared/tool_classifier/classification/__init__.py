"""Query -> Classification: `classifier` is the flow, `scoring` and `decision` its pure steps, `profiles` the lines."""
