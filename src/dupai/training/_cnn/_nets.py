"""The two networks as torch trains them."""

from __future__ import annotations

from typing import Any

from dupai.reading import HAND_SIZE
from dupai.training._cnn._samples import NODE_SIZE

#: Maps of the two convolutions and units of the dense layer: the paper does not say; these train on a CPU.
PAPER_SHAPE = (8, 16, 64)
#: Units of the card trunk, of what it gives to the head, of the node's encoder, and of the head.
RICH_SHAPE = (96, 64, 96, 48)


def paper_net(torch: Any, columns: int, shape: tuple[int, int, int] = PAPER_SHAPE) -> Any:
    """The paper's network: two convolutions of 5x5 with 2x2 max-pooling each, a dense layer, half of it dropped out;
    ``net(float32[n, 1, 20, 20]) -> logits [n, columns]``."""
    nn = torch.nn
    first, second, dense = shape
    return nn.Sequential(
        nn.Conv2d(1, first, 5, padding=2),
        nn.ReLU(),
        nn.MaxPool2d(2),
        nn.Conv2d(first, second, 5, padding=2),
        nn.ReLU(),
        nn.MaxPool2d(2),
        nn.Flatten(),
        nn.Linear(second * 25, dense),
        nn.ReLU(),
        nn.Dropout(0.5),
        nn.Linear(dense, columns),
    )


def rich_net(torch: Any, columns: int, shape: tuple[int, int, int, int] = RICH_SHAPE, dropout: float = 0.1) -> Any:
    """The factored network: a card trunk (hand on board) and an action head (decision), joined by gate and shift;
    ``net(hands [n, 70], nodes [n, 105]) -> logits [n, columns]``. :mod:`dupai.reading._cnn._network` is the same in
    NumPy."""
    nn = torch.nn
    trunk, width, encoder, head = shape

    class Net(nn.Module):  # type: ignore[misc,name-defined]
        def __init__(self) -> None:
            super().__init__()
            self.card1 = nn.Linear(HAND_SIZE, trunk)
            self.card2 = nn.Linear(trunk, width)
            self.node1 = nn.Linear(NODE_SIZE, encoder)
            self.node2 = nn.Linear(encoder, encoder)
            self.shift = nn.Linear(encoder, width)
            self.gate = nn.Linear(encoder, width)
            self.head = nn.Linear(width, head)
            self.head_node = nn.Linear(encoder, head, bias=False)
            self.out = nn.Linear(head, columns)
            self.out_node = nn.Linear(encoder, columns, bias=False)
            self.drop = nn.Dropout(dropout)
            nn.init.zeros_(self.gate.weight)
            nn.init.zeros_(self.gate.bias)

        def forward(self, hands: Any, nodes: Any) -> Any:
            cards = self.card2(torch.relu(self.card1(hands)))
            e = torch.relu(self.node1(nodes))
            e = self.drop(torch.relu(self.node2(e)))
            h = torch.relu(cards * (1 + self.gate(e)) + self.shift(e))
            h = torch.relu(self.head(self.drop(h)) + self.head_node(e))
            return self.out(h) + self.out_node(e)

    return Net()


def make_net(torch: Any, encoding: str, columns: int) -> Any:
    """The network that reads an encoding."""
    return paper_net(torch, columns) if encoding == "paper" else rich_net(torch, columns)
