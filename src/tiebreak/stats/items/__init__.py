"""Two models, or all pairs of many, on the same items: questions, tasks, prompts.

`item_pairs` tests and estimates all pairs at once; `flips` holds the arithmetic of flipped signs, `units` how items
make clusters and benchmarks. Proportions and their intervals stand in `_proportions`, how many items are needed in
`_planning`.
"""

from typing import TYPE_CHECKING

from tiebreak._lazy import lazy_names

if TYPE_CHECKING:
    from tiebreak.stats.items._anytime_items import AnytimeItems as AnytimeItems, anytime_items as anytime_items
    from tiebreak.stats.items._good_enough import (
        ItemNonInferiority as ItemNonInferiority,
        item_non_inferiority as item_non_inferiority,
        total_non_inferiority as total_non_inferiority,
    )
    from tiebreak.stats.items._item_pairs import ItemPairs as ItemPairs, item_pairs as item_pairs
    from tiebreak.stats.items._planning import (
        ItemPlan as ItemPlan,
        detectable_difference as detectable_difference,
        items_needed as items_needed,
        power_of_items as power_of_items,
    )
    from tiebreak.stats.items._proportions import (
        ProportionPairs as ProportionPairs,
        paired_interval as paired_interval,
        proportion_pairs as proportion_pairs,
        unpaired_interval as unpaired_interval,
        wilson_interval as wilson_interval,
    )
else:
    __getattr__, __dir__, __all__ = lazy_names(
        __name__,
        {
            "_anytime_items": "AnytimeItems anytime_items",
            "_good_enough": "ItemNonInferiority item_non_inferiority total_non_inferiority",
            "_item_pairs": "ItemPairs item_pairs",
            "_planning": "ItemPlan detectable_difference items_needed power_of_items",
            "_proportions": "ProportionPairs paired_interval proportion_pairs unpaired_interval wilson_interval",
        },
    )
