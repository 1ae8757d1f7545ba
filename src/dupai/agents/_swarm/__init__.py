"""The risk policy of five numbers, the swarm that learns it in play, and its fast lane."""
