"""The risk policy of five numbers, and the swarm that finds one in play."""
