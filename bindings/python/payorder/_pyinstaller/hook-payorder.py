"""Puts the shared library that this Python uses into the bundle, in the package's folder."""

from payorder._library import library

binaries = [(library._name, "payorder")]
