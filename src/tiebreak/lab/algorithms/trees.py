"""The linear-discriminant decision tree: every node splits on a weighted sum of all attributes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.utils import check_random_state

from tiebreak._checks import BoolArray, FloatArray, IntArray
from tiebreak.lab.algorithms.base import CountingClassifier, settings_as_fields
from tiebreak.lab.algorithms.generative import linear_split

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
        values = np.zeros(left.size, dtype=bool)
        values[0] = True
        for node in range(left.size):
            if values[node] and left[node] != LEAF:
                values[[left[node], right[node]]] = True
        place = np.cumsum(values) - 1
        leaf = left == LEAF
        self.weights_[leaf], self.thresholds_[leaf] = 0.0, 0.0
        moved = [np.where(side == LEAF, LEAF, place[side])[values] for side in (left, right)]
        self._keep(self.weights_[values], self.thresholds_[values], moved[0], moved[1], self.counts_[values])


# ---- a rule learner: an ordered list of rules, each a conjunction of thresholds, learned class by class


Condition = tuple[int, int, bool]
"""Column, bin, and whether the value must lie above that bin."""

TRIES = 3
"""How many times in a row a class may fail to yield a rule, each time with parts drawn anew, before it is done."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Binned:
    """Every column cut at `edges`: bin b holds what lies above edge b-1 and up to edge b."""

    places: IntArray
    edges: tuple[FloatArray, ...]
    width: int

    def holds(self, condition: Condition, rows: IntArray) -> BoolArray:
        column, place, above = condition
        inside = self.places[rows, column] > place
        return np.asarray(inside if above else ~inside)


@settings_as_fields
class RuleList(CountingClassifier):
    """An ordered list of if-then rules, learned by incremental reduced-error pruning.

    Classes are taken from the rarest to the most frequent one, which is the default and gets no rules. For a
    class, the rows not yet covered are split into a growing part (two thirds) and a pruning part. A rule grows by
    the condition `column <= value` or `column > value` with the largest gain of FOIL,
    p (log(p/(p+n)) - log(P/(P+N))), where P, N and p, n are the class's and the other rows before and after, until
    it covers no other row; then its last conditions are dropped as long as (p - n)/(p + n) on the pruning part
    does not fall. A rule whose class is not the most frequent one among what it covers there is dropped (with two
    classes: one that is wrong on half or more), and the third such rule in a row ends the class; any other joins the
    list and the rows it covers are set aside. The values tried are at most `bins` quantiles of each column.

    It follows IREP in its growing and pruning; RIPPER's description length and its second optimising pass are left
    out. A row gets the class shares of the training rows that its rule was the first to cover, with one row added
    to each class (Laplace), and the largest of them as its class.

    Parameters
    ----------
    bins : int, default 32
        The most values tried per column.
    max_rules : int, default 50
        The most rules per class.
    max_conditions : int, default 12
        The most conditions of a rule.
    random_state : int, RandomState or None, default None
        Chooses the growing and pruning parts.

    Attributes
    ----------
    classes_ : ndarray
        The classes.
    rules_ : list of lists of (column, value, above)
        In the order in which they are tried; the default, without conditions, is not listed.
    counts_ : ndarray
        Training rows first covered, per rule (the default last) and class.
    node_count_ : int
        Conditions, plus one outcome per rule and one for the default.

    References
    ----------
    fuernkranz1994
    cohen1995

    Examples
    --------
    >>> import numpy as np
    >>> rows = np.random.default_rng(1).random((300, 3))
    >>> corner = (rows[:, 0] > 0.6) & (rows[:, 1] <= 0.5)
    >>> rules = RuleList(random_state=0).fit(rows, corner)
    >>> float(rules.score(rows, corner)) > 0.95
    True
    """

    bins: int = 32
    max_rules: int = 50
    max_conditions: int = 12
    random_state: Any = None

    def fit(self, X: npt.ArrayLike, y: npt.ArrayLike) -> RuleList:
        """Learn the list from rows `X` with classes `y`."""
        rows, codes = self._taught(X, y)
        for name, low in (("bins", 2), ("max_rules", 1), ("max_conditions", 1)):
            self._check(name, getattr(self, name) >= low, f"At least {low} is needed to learn anything.")
        binned = _bin(rows, self.bins)
        learned = self._cover(binned, codes)
        self.rules_ = [[(c, float(binned.edges[c][b]), above) for c, b, above in rule] for rule in learned]
        first = self._walk(rows)
        self.counts_ = np.zeros((len(self.rules_) + 1, self.classes_.size))
        np.add.at(self.counts_, (first, codes), 1.0)
        self.node_count_ = sum(len(rule) for rule in self.rules_) + len(self.rules_) + 1
        return self

    def _walk(self, rows: FloatArray) -> IntArray:
        """Return the number of the first rule that covers each row, that of the default where none does."""
        first = np.full(rows.shape[0], len(self.rules_), dtype=np.int64)
        free = np.arange(rows.shape[0])
        for number, rule in enumerate(self.rules_):
            covered = np.ones(free.size, dtype=bool)
            for column, value, above in rule:
                covered &= (rows[free, column] > value) == above
            first[free[covered]] = number
            free = free[~covered]
        return first

    def _cover(self, binned: _Binned, codes: IntArray) -> Iterator[list[Condition]]:
        """From the rarest class on; the most frequent one is the default and gets no rules."""
        generator = check_random_state(self.random_state)
        frequency = np.bincount(codes)
        free = np.arange(codes.size)
        for label in np.argsort(frequency, kind="stable")[:-1]:
            for _ in range(self.max_rules):
                if not np.any(codes[free] == label):
                    break
                rule = self._one_rule(binned, free, codes, int(label), generator)
                if rule is None:
                    break
                yield rule
                free = free[~_covered(binned, rule, free)]

    def _one_rule(
        self, binned: _Binned, free: IntArray, codes: IntArray, label: int, generator: np.random.RandomState
    ) -> list[Condition] | None:
        """The parts are drawn anew for each try: a bad split of few rows must not end the class."""
        wanted = codes == label
        for _ in range(TRIES):
            growing, pruning = _halves(free, wanted, generator)
            rule = _pruned(binned, _grown(binned, growing, wanted, self.max_conditions), pruning, wanted)
            if rule and _leads(codes[pruning[_covered(binned, rule, pruning)]], label):
                return rule
        return None


def _halves(free: IntArray, wanted: BoolArray, generator: np.random.RandomState) -> tuple[IntArray, IntArray]:
    """Split into two thirds and one third, the class's rows and the others apart; one row alone does both."""
    growing, pruning = [], []
    for part in (free[wanted[free]], free[~wanted[free]]):
        mixed = generator.permutation(part)
        cut = -(-2 * mixed.size // 3)
        growing.append(mixed[:cut])
        pruning.append(mixed[cut:] if cut < mixed.size else mixed)
    return np.concatenate(growing), np.concatenate(pruning)


def _grown(binned: _Binned, rows: IntArray, wanted: BoolArray, most: int) -> list[Condition]:
    """FOIL's growing: it ends when only the wanted class is left, or when no condition gains."""
    rule: list[Condition] = []
    while len(rule) < most and not wanted[rows].all():
        condition = _best_condition(binned, rows, wanted)
        if condition is None:
            break
        rule.append(condition)
        rows = rows[binned.holds(condition, rows)]
    return rule


def _best_condition(binned: _Binned, rows: IntArray, wanted: BoolArray) -> Condition | None:
    """Return the condition with the largest gain of FOIL, the first of several; None if none gains."""
    columns = binned.places.shape[1]
    flat = binned.places[rows] + np.arange(columns) * binned.width
    hits = wanted[rows]
    size = columns * binned.width
    counts = [np.bincount(flat[part].ravel(), minlength=size).reshape(columns, -1) for part in (hits, ~hits)]
    below = [np.cumsum(count, axis=1)[:, :-1].astype(np.float64) for count in counts]
    whole = (float(hits.sum()), float((~hits).sum()))
    before = np.log(whole[0] / sum(whole))
    sides = ((below[0], below[1]), (whole[0] - below[0], whole[1] - below[1]))
    gains = np.stack([p * (np.log(np.maximum(p, 0.5) / np.maximum(p + n, 1.0)) - before) for p, n in sides])  # FOIL
    best = int(np.argmax(gains))
    if not gains.flat[best] > 1e-12:
        return None
    side, column, place = np.unravel_index(best, gains.shape)
    return int(column), int(place), bool(side)


def _pruned(binned: _Binned, rule: list[Condition], rows: IntArray, wanted: BoolArray) -> list[Condition]:
    """Return the shortest beginning of the rule whose (p - n) / (p + n) is largest."""
    best, worth = 0, -1.0
    for length, condition in enumerate(rule, start=1):
        rows = rows[binned.holds(condition, rows)]
        right = int(wanted[rows].sum())
        value = (2 * right - rows.size) / rows.size if rows.size else -1.0  # (p - n) / (p + n), Cohen 1995
        if value > worth + 1e-12:
            best, worth = length, value
    return rule[:best]


def _leads(codes: IntArray, label: int) -> bool:
    """Return whether a class is more frequent than every other one."""
    counts = np.bincount(codes, minlength=label + 1)
    return bool(counts[label] > np.delete(counts, label).max(initial=0))


def _covered(binned: _Binned, rule: list[Condition], rows: IntArray) -> BoolArray:
    covered = np.ones(rows.size, dtype=bool)
    for condition in rule:
        covered &= binned.holds(condition, rows)
    return covered


def _bin(rows: FloatArray, bins: int) -> _Binned:
    """Cut every column halfway between neighbouring values, at every value or at quantiles of the rows."""
    edges, places = [], np.empty(rows.shape, dtype=np.int64)
    for column in range(rows.shape[1]):
        values = np.unique(rows[:, column])
        if values.size > bins:
            shares = np.arange(1, bins) / bins
            values = np.unique(np.quantile(rows[:, column], shares, method="lower"))
            cuts = values
        else:
            cuts = values[:-1] + 0.5 * np.diff(values)
        edges.append(cuts)
        places[:, column] = np.searchsorted(cuts, rows[:, column], side="left")
    return _Binned(places=places, edges=tuple(edges), width=max(2, 1 + max(cut.size for cut in edges)))
