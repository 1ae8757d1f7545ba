"""The MCTS paper's opponent model: counted actions by strength bucket, over a sliding window of hands."""

from dupai.reading._bucket._model import BucketModel as BucketModel, BucketReader as BucketReader
