"""The environment by name: ``register_gym()``, then ``gymnasium.make("dupai/Holdem-v0", opponents="style:LA")``."""

from __future__ import annotations

from dupai.base import MissingPackage


def register_gym() -> None:
    """Register :class:`HoldemGym` as ``dupai/Holdem-v0``. Versions of Gymnasium that load plugins call this through its
    entry point; 1.4 loads none.

    Raises:
        MissingPackage: Gymnasium is not installed.
    """
    try:
        from gymnasium.envs import registration
    except ImportError as error:
        raise MissingPackage(error.name or "gymnasium", "env", "the Gymnasium environment") from None
    # While Gymnasium loads a plugin it puts the plugin's name before the id itself.
    name = "Holdem-v0" if registration.current_namespace is not None else "dupai/Holdem-v0"
    # Masked actions, and rewards that are known only when a hand ends: its passive checker knows neither.
    registration.register(id=name, entry_point="dupai.env:HoldemGym", disable_env_checker=True)
