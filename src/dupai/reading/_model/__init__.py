"""The trained reader: features, networks, weights that ship, and the action model made of them."""
