"""MEMMs inside the files of models that consist of them."""

from workbench.models.capitalizer import mixed_forms_to_lists
from workbench.models.memm import MEMM


def nest(models):
    """Return header, arrays and lists that hold several MEMMs, a dict by name."""
    headers, arrays, lists = {}, {}, {}
    for name, model in models.items():
        headers[name], own_arrays, own_lists = model.to_parts()
        own_lists = own_lists | mixed_forms_to_lists(model.mixed_forms)
        arrays |= {f"{name}.{key}": array for key, array in own_arrays.items()}
        lists |= {f"{name}.{key}": strings for key, strings in own_lists.items()}
    return {"models": headers}, arrays, lists


def unnest(name, header, arrays, lists):
    """Take one of the MEMMs out again."""
    start = f"{name}."
    own_arrays, own_lists = (
        {key.removeprefix(start): value for key, value in parts.items() if key.startswith(start)}
        for parts in (arrays, lists)
    )
    return MEMM.from_parts(header["models"][name], own_arrays, own_lists)
