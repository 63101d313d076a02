"""The tools of payorder: the command line, the exam of a till, and the sandbox for tests."""

__version__ = "0.1.0"
