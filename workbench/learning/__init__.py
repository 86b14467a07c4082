"""Log-likelihoods, priors and solvers: from counted events to weights."""
