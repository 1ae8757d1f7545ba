"""The *experience* system: the expert base (``expert``) and the staged tree over it (``experience``).

Source: Gao, Xu, Wang, Bai, Cao, "System architecture of Texas Hold'em based on experience", CAAI Transactions on
Intelligent Systems (2020).
"""
