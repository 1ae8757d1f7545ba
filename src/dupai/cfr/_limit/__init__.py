"""Three-player limit hold'em, abstracted: regret minimisation by sampling, and hands that the result plays."""

from dupai.cfr._limit._solver import LimitSolver as LimitSolver
