"""The solver's context: where everything lies that a pass over the tree needs.

A context is ``int64[FIRST_LEVEL + SLOTS * (streets + 1)]``: sizes and the addresses of arrays that the caller keeps
alive. Each street has a block of ``SLOTS`` numbers in it. Entries marked *p* stand twice, for traverser 0 and 1, at
``slot + p``. A row of scratch memory has the same length on all boards of a street; in the storage of regrets each
board has rows of its own length, a multiple of 16. The other tables are ``int64``, too, one line for each entry.

Addresses instead of arrays, because kernels load vectors from any byte, and because the boards of a street lie in
arrays of different lengths. It is also faster: a call with a context costs 0.4 us, one with a NamedTuple of sixty
arrays 28 us (measured), as long as an iteration on a small river.
"""

#: Numbers in a vector; terminals' reaches that are handled together.
LANES = 16

# Context, before the blocks of the streets
HALF, LEVELS, FIRST_LEVEL = 0, 1, 8
SLOTS = 48

# Block of a street
BOARDS = 0  # table of boards
REACH, REACH_STEP = 2, 4  # p: scratch rows of reach against traverser p; bytes of a row
VALUE, VALUE_STEP = 6, 8  # p: scratch rows of values; bytes of a row
DOWN, DOWNS = 10, 12  # p: table of the opponent's nodes, its length
UP, UPS = 14, 16  # p: table of all nodes, last first, its length
BATCH, BATCHES = 18, 20  # p: table of batches of sixteen terminals' reaches, its length
TERM = 22  # p: table of terminals
ROOT, ROOTS = 24, 26  # p: table of (reach row, value row) of each tree, its length
CHANCE = 28  # p: table of (reach row, value row) where a card comes
REGRET, SUM = 30, 32  # p: storage
TURNED, WON, MET = 34, 35, 36  # scratch: reach by hand, results by hand
WON_ROWS, MET_ROWS = 37, 38  # scratch: results by reach
HELD = 39  # scratch: sums by card
FACTOR = 40  # probability of a card of the next street times 2**32, as an integer
LAST = 41  # 1 on the river
LEAF, LEAVES = 42, 43  # value rows of nodes where nobody acts, their number

# Columns of the table of boards
BOARD_COLUMNS = 24
N, PADDED, STORE = 0, 2, 4  # p: number of hands, the same as a multiple of 16, first number in the storage
CARDS, SAME = 6, 8  # p: addresses
PLACES = 10  # p: address of the hands' places on the board above, for each renaming of suits
IMAGES = 12  # number of renamings
GROUPS, GROUP_COUNT = 13, 14  # address of the groups of equal strength, their number
ALLIN = 15  # p: address of the all-in table
KIDS, KID_COUNT = 17, 18  # first board below, number of boards below
LOCKS = 19  # address of int64[nodes]: 0 free, 1 fixed, else the address of a record of bounds; or 0
ORBITS, ORBIT_SIZE = 20, 22  # p: address of int16: hands that are alike, as (number, their places); its length

# Columns of the other tables
DOWN_COLUMNS, UP_COLUMNS, BATCH_COLUMNS, TERM_COLUMNS = 5, 6, 20, 4
