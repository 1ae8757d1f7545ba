"""Kernels of the swarm: the policy, the swarm's steps, what it sees of a hand, the fast lane."""
