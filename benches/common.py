"""Task definitions and samples of them, for the scripts of this folder."""
import hashlib
import os
import re

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
GRACE = 3.0  # seconds past the time limit after which a run counts as hanging


def expected_verdict(task):
    with open(task, encoding="utf-8") as file:
        match = re.search(r"expected_verdict:\s*(true|false)", file.read())
    return match.group(1) if match else None


def disputed_tasks():
    with open(os.path.join(ROOT, "benches", "disputed.txt"), encoding="utf-8") as file:
        return {line.split(":")[0] for line in file if line.strip() and not line.startswith("#")}


def find_tasks(folders, sample):
    """The task definitions with a verdict below `folders`; a sample unless `sample` is 0."""
    tasks = sorted(
        os.path.join(folder, name)
        for top in folders
        for folder, _, names in os.walk(top)
        for name in names
        if name.endswith(".yml") and expected_verdict(os.path.join(folder, name))
    )
    return sample_of(tasks, sample) if sample else tasks


def set_of(task):
    return os.path.basename(os.path.dirname(task))


def name_hash(task):
    """A hash of the task's name and set, independent of the location of the folders."""
    return hashlib.sha256(f"{set_of(task)}/{os.path.basename(task)}".encode()).digest()


def sample_of(tasks, count):
    """`count` of the tasks, in their order: the least hash of each set, then the least of all."""
    by_hash = sorted(tasks, key=name_hash)
    first_of_set = {}
    for task in by_hash:
        first_of_set.setdefault(set_of(task), task)
    chosen = set(sorted(by_hash, key=lambda task: first_of_set[set_of(task)] != task)[:count])
    return [task for task in tasks if task in chosen]


def is_disputed(task, disputed):
    return set_of(task) + "/" + os.path.basename(task).removesuffix(".yml") in disputed
