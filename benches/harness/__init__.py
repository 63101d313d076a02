"""Runs the contenders against the responder, and writes down what came of it."""
