"""Dependencies of the installed package, read from the requirements files: each stands once."""

from pathlib import Path

from hatchling.metadata.plugin.interface import MetadataHookInterface

NAME = "capitalization-workbench"
FOLDERS = {"test": "tests", "bench": "benchmarks", "notebooks": "notebooks"}  # of the extras


def read_groups(path):
    """Return the requirements of a file by group; a group begins at a line ``# [name]``."""
    groups, group = {}, "core"
    for line in Path(path).read_text("utf-8").splitlines():
        if line.startswith("# ["):
            group = line[3 : line.index("]")]
        elif (requirement := line.split("#")[0].strip()) and not requirement.startswith("-"):
            groups.setdefault(group, []).append(requirement)
    return groups


class RequirementsHook(MetadataHookInterface):
    """``dependencies`` is the group core, each other group or file an extra."""

    def update(self, metadata):
        """Fill in what pyproject.toml names as dynamic."""
        root = Path(self.root)
        groups = read_groups(root / "requirements.txt")
        metadata["dependencies"] = groups["core"]
        extras = {name: group for name, group in groups.items() if name != "core"}
        for extra, folder in {
            "test": "tests",
            "bench": "benchmarks",
            "notebooks": "notebooks",
        }.items():
            own = read_groups(root / folder / "requirements.txt")["core"]
            extras[extra] = [f"{NAME}[app,serve,cloud,cluster]", *own]
        metadata["optional-dependencies"] = extras
