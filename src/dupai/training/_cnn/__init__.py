"""Training and scoring of the convolutional opponent model."""
