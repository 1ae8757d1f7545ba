"""What all networks share in torch."""

from __future__ import annotations

from typing import Any

from dupai.base import ConfigError, optional_package


def check_torch(device: str) -> None:
    """Torch is there, knows the device, and adds up in one order from here on.

    Raises:
        ConfigError: one of the first two is not so.
    """
    torch = optional_package("torch", "train", "training")
    if device != "cpu" and not (device.startswith("cuda") and torch.cuda.is_available()):
        raise ConfigError(
            f"device {device!r}: torch finds none here, expected cpu"
            + (" or cuda" if torch.cuda.is_available() else "")
        )
    # Otherwise threads add rows of the same place (of a starting hand, say) in any order, and a training that was
    # stopped does not end where it would have. On a GPU some steps have no such way: there it is asked for only.
    torch.use_deterministic_algorithms(True, warn_only=device != "cpu")


def add_layers(torch: Any, net: Any, bias: bool = True, **sizes: tuple[int, int]) -> None:
    """Give a network linear layers by name, ``(inputs, outputs)`` each; their weights are drawn in this order."""
    for name, (inputs, outputs) in sizes.items():
        setattr(net, name, torch.nn.Linear(inputs, outputs, bias=bias))
