"""Kernels of play-outs: deals, features of the hands in them, situations, and the decisions of a round."""
