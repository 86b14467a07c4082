"""Model files rewritten in any way, with valid checksums."""

import io
import json
import zipfile

import numpy as np


def members_of(path):
    """The bytes of the members of a model file, by name."""
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def write_members(path, members, packing=zipfile.ZIP_DEFLATED):
    """Write a zip of any members."""
    with zipfile.ZipFile(path, "w", packing) as archive:
        for name, data in members.items():
            archive.writestr(zipfile.ZipInfo(name), data, packing)


def rewrite(path, header=None, **changes):
    """Change the header of a model file in place by a function, and members by functions.

    ``changes`` take the bytes of ``weights.npy`` as ``weights_npy``, and return others.
    """
    members = members_of(path)
    if header:
        said = json.loads(members["header.json"])
        header(said)
        members["header.json"] = json.dumps(said).encode()
    for name, change in changes.items():
        member = ".".join(name.rsplit("_", 1))
        members[member] = change(members[member])
    write_members(path, members)


def npy(array):
    """The bytes of an array as NumPy writes them."""
    np.save(buffer := io.BytesIO(), array)
    return buffer.getvalue()
