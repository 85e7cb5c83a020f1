"""Drawing: scenes in points, axes and labels to lay them out, writers for SVG, TikZ and matplotlib."""
