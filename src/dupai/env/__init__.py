"""Env: Texas hold'em as an environment for reinforcement learning: PettingZoo (AEC) and Gymnasium faces.

Both share one :class:`Encoder` (actions, masks, observations) and one way of dealing, so the same seed gives the
same cards. Rewards are in mbb/hand: thousandths of a big blind. PettingZoo and Gymnasium come with ``dupai[env]``.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dupai.env._aec import HoldemAEC as HoldemAEC
    from dupai.env._encoder import SIZES as SIZES, Encoder as Encoder
    from dupai.env._gym import HoldemGym as HoldemGym
    from dupai.env._registration import register_gym as register_gym
    from dupai.env._table import AgentSource as AgentSource, GameSource as GameSource
else:
    from dupai.base import lazy_exports

    __getattr__, __dir__, __all__ = lazy_exports(__name__)
