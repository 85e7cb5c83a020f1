"""Models on items: the gate, battles, the power of a plan, and the board."""
