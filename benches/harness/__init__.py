"""Runs the contenders against the responder, and writes a report."""
