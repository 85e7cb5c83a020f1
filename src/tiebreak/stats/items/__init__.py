"""Two models, or all pairs of many, on the same items: questions, tasks, prompts."""
