"""The judge of the conformance suite. It needs Python 3.8 and nothing else."""
