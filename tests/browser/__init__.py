"""The sandbox's pages in Chromium, with orders that the Python package creates."""
