"""The sandbox's pages as a person meets them: in Chromium, around an order that the Python package makes."""
