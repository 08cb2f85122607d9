"""What runs on a developer's machine only: demo services, the local server, explanations for people, generated docs."""
