"""MEMMs in the files of models that consist of several."""

from collections.abc import Mapping

from workbench.models.capitalizer import mixed_forms_to_lists
from workbench.models.memm import MEMM


def nest(models: Mapping[str, MEMM]) -> tuple[dict, dict, dict]:
    """Return the header, arrays and lists of a file of several MEMMs by name."""
    headers: dict = {}
    arrays: dict = {}
    lists: dict = {}
    for name, model in models.items():
        headers[name], own_arrays, own_lists = model.to_parts()
        own_lists = own_lists | mixed_forms_to_lists(model.mixed_forms)
        arrays |= {f"{name}.{key}": array for key, array in own_arrays.items()}
        lists |= {f"{name}.{key}": strings for key, strings in own_lists.items()}
    return {"models": headers}, arrays, lists


def unnest(name: str, header: dict, arrays: dict, lists: dict) -> MEMM:
    """Return one of the MEMMs of such a file."""
    start = f"{name}."
    own_arrays, own_lists = (
        {key.removeprefix(start): value for key, value in parts.items() if key.startswith(start)}
        for parts in (arrays, lists)
    )
    return MEMM.from_parts(header["models"][name], own_arrays, own_lists)
