"""A game for blueprints that are learned in a second."""

#: Text of a file for ``dupai train blueprint --games``.
TINY_GAME = """
[tiny]
game = "holdem.nolimit.2p"
big_blinds = 20
buckets = [6, 6, 6]
[tiny.menu]
preflop = [[0.75], ["a"]]
flop = [[1.0]]
turn = [[1.0]]
river = [[1.0]]
"""
