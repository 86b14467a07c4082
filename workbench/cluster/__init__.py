"""An annex: training and studies on the workers of a Dask cluster."""
