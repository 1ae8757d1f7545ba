"""Training the reader ``model``: torch is loaded when training begins."""
