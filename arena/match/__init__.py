"""One game at a time and many at once: referee, clocks, fouls, and the runner of a worker."""
