"""Push or fold before the flop: heads-up equilibria exactly, three-handed ones approximately."""
