"""Is a recommendation worth following? Agreement with the truth, baselines, significance, and what it costs."""
