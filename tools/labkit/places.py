# SPDX-License-Identifier: Apache-2.0
"""The folders that the lab uses."""
import atexit
import os
import shutil
import tempfile
import threading
import time
from pathlib import Path

from .say import LabError

LAB_HOME = Path(__file__).resolve().parents[1]  # tools/
REPOSITORY = LAB_HOME.parent
GUEST_FILES = LAB_HOME / 'lab.d'  # files for the guest

_lock = threading.Lock()
_scratch = None


def cache():
    home = os.environ.get('HOME') or '/root'
    default = Path(os.environ.get('XDG_CACHE_HOME') or f'{home}/.cache') / 'verbs4j-lab'
    return Path(os.environ.get('VERBS4J_LAB_CACHE') or default).absolute()


def results_base():
    return Path(os.environ.get('VERBS4J_LAB_RESULTS') or REPOSITORY / 'target' / 'lab')


def short(path):
    """Returns a path as the user would write it: relative to the repository if it is inside."""
    try:
        return str(Path(path).relative_to(REPOSITORY))
    except ValueError:
        return str(path)


def link(path, target):
    """Makes a path a link to a target, or replaces the link. Other labs always find a link there."""
    new = path.with_name(f'.{path.name}.{threading.get_native_id()}')
    new.symlink_to(target)
    new.rename(path)


def make_results(name):
    """Creates a folder for results that no other run uses, and points the link NAME-latest to it."""
    base = results_base()
    try:
        base.mkdir(parents=True, exist_ok=True)
    except OSError as e:
        raise LabError(f'cannot make {base}: {e.strerror}') from e
    base = base.resolve()
    stamp = time.strftime('%Y%m%d-%H%M%S')
    for attempt in range(1, 100):
        results = base / (f'{name}-{stamp}' + (f'-{attempt}' if attempt > 1 else ''))
        try:
            results.mkdir()
        except FileExistsError:
            continue
        link(base / f'{name}-latest', results.name)
        return results
    raise LabError(f'cannot make a folder in {base}')


def scratch():
    """Returns a private folder that is removed at exit."""
    global _scratch
    with _lock:
        if _scratch is None:
            _scratch = Path(tempfile.mkdtemp(prefix='verbs4j-lab.'))
            atexit.register(shutil.rmtree, _scratch, ignore_errors=True)
        return Path(tempfile.mkdtemp(dir=_scratch))
