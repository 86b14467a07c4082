"""The view Tune: the slider, its curve and its words."""
