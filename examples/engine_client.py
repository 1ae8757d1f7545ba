"""Ask `dupai engine` for river analyses from another program, four at a time: python examples/engine_client.py"""

import json
import subprocess
import sys
import time


class Engine:
    """Requests go out as lines of JSON and come back in any order, each with the id of its request."""

    def __init__(self, jobs: int = 2) -> None:
        command = [sys.executable, "-m", "dupai", "engine", "--jobs", str(jobs)]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def send(self, id: str, method: str, **fields: object) -> None:
        assert self.process.stdin is not None
        print(json.dumps({"id": id, "method": method, **fields}), file=self.process.stdin, flush=True)

    def answer(self) -> dict[str, object]:
        assert self.process.stdout is not None
        return json.loads(self.process.stdout.readline())


SPOT = "heads-up, blinds 50/100, stacks 10000, button, {}; i raises to 300, bb calls; flop 2c7dTh: checks to me, i bets 300, bb calls; turn 5s: bb checks, i checks; river Ah: bb bets 600"  # noqa: E501
HANDS = ["AsKd", "KhQh", "9c9d", "Jc8c", "7s6s", "AdTd", "QsJs", "5c5d"]

engine = Engine()
engine.send("hello", "hello")
print("protocol", engine.answer()["result"]["protocol"])
for k in range(4):
    engine.send(HANDS[k], "analyse", spot=SPOT.format(HANDS[k]))
total, start = int(sys.argv[1]) if len(sys.argv) > 1 else len(HANDS), time.time()
for k in range(total):
    reply = engine.answer()
    if k < len(HANDS):
        best = reply["result"]["actions"][0]
        print(f"{reply['id']}  {best['text']:<20} {best['p']:.0%}  equity {reply['result']['equity'][0]:.1%}")
    if k + 4 < total:
        hand = HANDS[(k + 4) % len(HANDS)]
        engine.send(hand, "analyse", spot=SPOT.format(hand))
print(f"{total / (time.time() - start) * 60:,.0f} analyses a minute")
