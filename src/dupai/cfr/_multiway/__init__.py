"""Blueprints of tables of three and more: sampling, with a betting that is described and not remembered."""
