"""Work in limited child processes: a warm parent forks them, the server hands them jobs, a bad one ends alone."""
