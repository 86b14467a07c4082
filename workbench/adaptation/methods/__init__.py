"""The adaptation methods; a new method is one new file here, with its ``Method``: it is found."""

from importlib import import_module
from pkgutil import iter_modules

from workbench.adaptation.method import Method

_FIRST = (  # in tables; others follow by their files' names
    "1-gram", "1-gram-adapted", "background", "target", "map", "map-two-variances",
    "map-by-template", "all", "weighted", "chain", "hierarchy", "pred", "linint", "augment",
    "auxiliary", "auxiliary-classes", "model-combination", "equal-weights", "mindiv-adapt-only",
    "map-exponential", "target-exponential",
)  # fmt: skip
_found = {
    value.name: value
    for module in iter_modules(__path__)
    for value in vars(import_module(f"{__name__}.{module.name}")).values()
    if isinstance(value, Method)
}
METHODS: dict[str, Method] = {
    name: _found[name] for name in dict.fromkeys((*_FIRST, *_found)) if name in _found
}
