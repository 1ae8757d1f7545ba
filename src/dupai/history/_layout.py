"""What replaying a scanned hand can find."""

#: The hand replays and its payoffs are right.
FINE = 0
#: It replays, and its payoffs are not those that the rules give.
MISMATCH = 1
#: An action is not legal where it stands; the hand is not over; it has too few or too many rounds; cards that the
#: showdown needs are not known.
ILLEGAL, UNFINISHED, WRONG_ROUNDS, UNKNOWN_CARDS = 2, 3, 4, 5
