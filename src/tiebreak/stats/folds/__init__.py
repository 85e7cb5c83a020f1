"""Two algorithms on one data set: from the scores of its folds, or from predictions."""
