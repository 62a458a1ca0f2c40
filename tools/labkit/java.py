# SPDX-License-Identifier: Apache-2.0
"""The JDK and the build, found and run by the scripts of tools/lib, which other tools use, too."""
import subprocess

from . import places, programs
from .say import channel, progress

# Emulated processors may see code that HotSpot has replaced only partly; this compiler replaces the least (docs/lab.md,
# Troubleshooting).
IN_GUESTS = '-XX:TieredStopAtLevel=1'
VERSION = 25
_LIBRARY = ('set -euo pipefail; REPOSITORY=$1; shift; source "$REPOSITORY/tools/lib/jdk.sh"; '
            'source "$REPOSITORY/tools/lib/build.sh"; progress() { printf "@%s\\n" "$*" >&2; }; "$@"')
_home = None


def _library(*words):
    return ['bash', '-c', _LIBRARY, 'lab', str(places.REPOSITORY), *words]


def home():
    """Returns the folder of a JDK 25 or newer, or None."""
    global _home
    if not _home:
        _home = programs.output(*_library('eval', 'find_jdk && printf %s "$JDK_HOME"')) or None
    return _home


def explain_missing():
    """Returns the searched places, the JDKs found instead, and how to get a JDK."""
    return subprocess.run(_library('explain_missing_jdk'), stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                          check=False).stderr.rstrip('\n')


def program():
    return f'{home()}/bin/java'


def ensure_built():
    """Builds without running tests if a source has changed; returns whether the build succeeded."""
    return _build('ensure_built')


def run_maven(log, *arguments):
    """Runs Maven in the repository with output to a log; returns whether it succeeded."""
    return _build('run_maven', str(log), *arguments)


def _build(*words):
    with programs.running(_library(*words), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as process:
        for line in process.stderr:
            if line.startswith('@'):
                progress(line[1:].rstrip('\n'))
            else:
                channel().message(line.rstrip('\n'))
    return process.returncode == 0


def test_jars():
    return places.REPOSITORY / 'tests' / 'target' / 'dist' / 'lib'


def compile_sources(sources, classes, *path):
    """Compiles a folder of sources that use the jars of the tests; returns the class path that it had."""
    path = ':'.join(map(str, [*path, test_jars() / '*']))
    programs.logged(classes.with_suffix('.log'), f'{places.short(sources)} does not compile', f'{home()}/bin/javac', '-d', classes, '-cp', path,
                    *sorted(sources.rglob('*.java')))
    return path


def run_test_program(name, *arguments):
    """Runs a program of the tests module with the lab's stdout; returns its exit code."""
    return subprocess.run([program(), '-cp', f'{test_jars()}/*', name, *map(str, arguments)], check=False).returncode


def make_test_cache():
    """Creates the cache of loaded and linked classes for the device tests, unless this build has one."""
    script = 'REPOSITORY=$1 JDK_HOME=$2; source "$1/tools/lab.d/test-classes.sh"; make_test_cache'
    subprocess.run(['bash', '-c', script, 'lab', str(places.REPOSITORY), home()], stdin=subprocess.DEVNULL, check=False)
