"""The convolutional opponent model: encodings, the factored network in NumPy, and the action model made of them.

Source: Gao, Xu, Wang, Bai, Cao, "System architecture of Texas Hold'em based on experience", CAAI Transactions on
Intelligent Systems (2020).
"""
