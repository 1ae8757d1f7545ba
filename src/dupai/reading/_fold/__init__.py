"""``fold``: the reader of the FOLD paper (Li, Jiang, Chen, Bao 2017), default model, size classes and adaptation."""
