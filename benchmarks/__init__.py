"""Speed figures: each measured beside a peer or a baseline in the same run."""
