"""Tool Classifier: routes a chatbot's questions to registered services."""

__version__ = "0.1.0"
