"""Three-player limit hold'em, solved approximately."""
