"""What the networks of readers see of a hand and of a decision, and the actions that they tell apart."""
