"""The MCTS paper's opponent model: counted actions by strength bucket, over a sliding window of hands."""
