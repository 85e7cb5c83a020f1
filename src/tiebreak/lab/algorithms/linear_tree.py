"""The linear-discriminant decision tree: every node splits on a weighted sum of all attributes."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.utils import check_random_state

from tiebreak._checks import BoolArray, FloatArray, IntArray
from tiebreak.lab.algorithms._classifiers import CountingClassifier, settings_as_fields
from tiebreak.lab.algorithms._discriminant import linear_split

LEAF = -1


@settings_as_fields
class LinearDiscriminantTree(CountingClassifier):
    """A binary decision tree whose nodes test `weights @ row <= threshold`.

    At a node the classes are put into two groups: the two classes whose means lie farthest apart begin, the others
    join the nearer one, and then the class whose change of side wins most entropy changes sides, as long as one
    does. Between the groups Fisher's linear discriminant gives the direction in closed form, from columns brought
    to variance 1 in the node; where the covariance inside the groups is singular (collinear or constant columns,
    fewer rows than columns) a ridge on it keeps the answer defined. On the projection the threshold that wins
    most entropy over all classes is taken.

    A node becomes a leaf when it is pure, when it holds less than `min_share` of the training rows, or when no
    threshold wins anything (as when the two groups have the same mean). With `prune_share` above 0 that part of
    the rows is held back, and every subtree that makes no fewer mistakes on it than its root as a leaf is cut.

    Use it on numeric columns where classes are separated by sums of attributes. Do not use it where class means
    coincide and only the spread separates the classes (ringnorm), or with missing values: encode them before.

    Parameters
    ----------
    min_share : float, default 0.05
        A node with a smaller share of the training rows is not split (the papers' pre-pruning).
    min_leaf : int, default 1
        The fewest rows on either side of a split.
    max_depth : int or None, default None
        The most splits between root and leaf.
    prune_share : float, default 0.0
        The share of rows held back for pruning afterwards; 0 prunes nothing afterwards.
    ridge : float, default 1e-3
        What is added to the covariance inside the groups, as a share of its mean variance.
    random_state : int, RandomState or None, default None
        Chooses the rows held back; without `prune_share` nothing is random.

    Attributes
    ----------
    classes_ : ndarray
        The classes.
    weights_, thresholds_ : ndarray
        The test of every node; zero in leaves.
    left_, right_ : ndarray
        The children of every node, -1 in leaves.
    counts_ : ndarray
        Training rows per node and class.
    node_count_ : int
        Nodes and leaves.

    References
    ----------
    yildiz2005
    guo1992, the exchange of classes

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(1)
    >>> points = rng.normal(size=(200, 2))
    >>> above = points.sum(axis=1) > 0
    >>> tree = LinearDiscriminantTree().fit(points, above)
    >>> tree.node_count_, float(tree.score(points, above)) > 0.95
    (3, True)
    """

    min_share: float = 0.05
    min_leaf: int = 1
    max_depth: int | None = None
    prune_share: float = 0.0
    ridge: float = 1e-3
    random_state: Any = None

    def fit(self, X: npt.ArrayLike, y: npt.ArrayLike) -> LinearDiscriminantTree:
        """Grow the tree on rows `X` with classes `y`, and prune it if asked to."""
        rows, codes = self._taught(X, y)
        share = "It is a share of the training rows, from 0 to {:g}."
        singular = "Without it the discriminant is undefined where columns are collinear."
        self._check("min_share", 0 <= self.min_share <= 1, share.format(1))
        self._check("prune_share", 0 <= self.prune_share <= 0.9, share.format(0.9))
        self._check("ridge", self.ridge > 0, singular)
        self._check("min_leaf", self.min_leaf >= 1, "A leaf holds at least one row.")
        held = self._held_back(codes)
        self._grow(rows[~held], codes[~held])
        if held.any():
            self._prune(rows[held], codes[held])
        return self

    def _walk(self, rows: FloatArray) -> IntArray:
        """All rows walk down together, one level a step; those in a leaf drop out of the loop."""
        nodes = np.zeros(rows.shape[0], dtype=np.int64)
        moving = np.flatnonzero(self.left_[nodes] != LEAF)
        while moving.size:
            here = nodes[moving]
            goes_left = np.einsum("ij,ij->i", rows[moving], self.weights_[here]) <= self.thresholds_[here]
            nodes[moving] = np.where(goes_left, self.left_[here], self.right_[here])
            moving = moving[self.left_[nodes[moving]] != LEAF]
        return nodes

    def _held_back(self, codes: IntArray) -> BoolArray:
        """Choose the rows for pruning, class by class, never the whole of a class."""
        held = np.zeros(codes.size, dtype=bool)
        if self.prune_share > 0:
            generator = check_random_state(self.random_state)
            for code in range(self.classes_.size):
                places = generator.permutation(np.flatnonzero(codes == code))
                held[places[: int(self.prune_share * places.size)]] = True
        return held

    def _grow(self, rows: FloatArray, codes: IntArray) -> None:
        enough = max(2, self.min_share * rows.shape[0])
        nodes: list[list[Any]] = []  # weights, threshold, left child, right child, counts
        waiting = [(np.arange(rows.shape[0]), 0, -1)]
        while waiting:
            here, depth, parent = waiting.pop()
            if parent >= 0:  # the left child is popped first and stands right behind its parent
                nodes[parent][2 if nodes[parent][2] == LEAF else 3] = len(nodes)
            deep = self.max_depth is not None and depth >= self.max_depth
            split = None
            if here.size >= enough and not deep:
                split = linear_split(rows[here], codes[here], ridge=self.ridge, smallest=self.min_leaf)
            if split is not None:
                waiting += [(side, depth + 1, len(nodes)) for side in (here[~split.left], here[split.left])]
            test = (np.zeros(rows.shape[1]), 0.0) if split is None else (split.weights, split.threshold)
            counts = np.bincount(codes[here], minlength=self.classes_.size).astype(np.float64)
            nodes.append([*test, LEAF, LEAF, counts])
        self._keep(*(np.array(column) for column in zip(*nodes, strict=True)))

    def _keep(
        self, weights: FloatArray, thresholds: FloatArray, left: IntArray, right: IntArray, counts: FloatArray
    ) -> None:
        self.weights_, self.thresholds_ = weights, thresholds
        self.left_, self.right_ = left.astype(np.int64), right.astype(np.int64)
        self.counts_, self.node_count_ = counts, int(left.size)

    def _prune(self, rows: FloatArray, codes: IntArray) -> None:
        """Cut, from the leaves upwards, what makes no fewer mistakes on the held rows than its root as a leaf."""
        n = self.node_count_
        reached = np.zeros((n, self.classes_.size))
        np.add.at(reached, (self._walk(rows), codes), 1.0)
        mistakes = np.zeros(n)
        left, right = self.left_.copy(), self.right_.copy()
        for node in range(n - 1, -1, -1):  # children stand behind their parents
            if left[node] != LEAF:
                reached[node] = reached[left[node]] + reached[right[node]]
            as_leaf = reached[node].sum() - reached[node, int(np.argmax(self.counts_[node]))]
            below = np.inf if left[node] == LEAF else mistakes[left[node]] + mistakes[right[node]]
            mistakes[node] = min(as_leaf, below)
            if as_leaf <= below:
                left[node] = right[node] = LEAF
        self._compact(left, right)

    def _compact(self, left: IntArray, right: IntArray) -> None:
        """Drop the nodes that can no longer be reached."""
        kept = np.zeros(left.size, dtype=bool)
        kept[0] = True
        for node in range(left.size):
            if kept[node] and left[node] != LEAF:
                kept[[left[node], right[node]]] = True
        place = np.cumsum(kept) - 1
        leaf = left == LEAF
        self.weights_[leaf], self.thresholds_[leaf] = 0.0, 0.0
        moved = [np.where(side == LEAF, LEAF, place[side])[kept] for side in (left, right)]
        self._keep(self.weights_[kept], self.thresholds_[kept], moved[0], moved[1], self.counts_[kept])
