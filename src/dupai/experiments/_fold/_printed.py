"""What the paper prints, as data."""

#: Figure 4: win rate (%) and its half width at N = 400-500, and at N = 900-1000; milliseconds at N = 500.
FIGURE4 = {"few": 62.5, "few_half_width": 3.3, "many": 62.3, "ms_at_500": 10.0}

#: Figure 7: points of top-Z accuracy that FOLD is ahead of the Markov model, by street, and the mean of four streets
#: (so about 0.6 before the flop).
FIGURE7 = {"pre-flop": 0.6, "flop": 3.4, "turn": 8.5, "river": 14.1, "mean": 6.65}

#: Table 3: heads-up against seven programs: mean share of matches won (%) with its range, mean chip difference and SE.
TABLE3 = {"wins": 89.0, "least": 65.0, "most": 100.0, "chips": 3533.0, "chips_se": 381.0}

#: Figure 9: the mean rank lies between these for two to eight players; the latter is that of eight.
FIGURE9 = {"best": 1.11, "worst": 1.74}

#: Figure 12: better mean rank with implied odds (%).
FIGURE12 = {"gain": 0.8}

#: Figure 8: repeats after which the mean rank agrees with that of 500 matches (%), and the SE (%) from there on.
FIGURE8 = {"repeats": 70, "agreement": 95.0, "se": 2.5}
