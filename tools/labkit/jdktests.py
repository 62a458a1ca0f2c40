# SPDX-License-Identifier: Apache-2.0
"""The JDK's own tests of sockets, with jtreg, their runner: fetched from Debian and compiled, once."""
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

from . import java, packages, places, programs
from .apt import PrivateApt, available
from .say import LabError, progress, warn

# The first is the version that the tests run on. Archives may have lost the source of a version that they still list.
SOURCES = (('trixie', 'openjdk-25'), ('sid', 'openjdk-26'))
JTREG = 'trixie', 'jtreg8'
CHANNELS = tuple(f'java/nio/channels/{name}' for name in (
    'SocketChannel', 'ServerSocketChannel', 'Selector', 'SelectionKey', 'etc', 'Pipe', 'Channels', 'unixdomain', 'vthread',
    'AsyncCloseAndInterrupt.java', 'ConfigureBlocking.java'))
NET = 'java/net/Socket', 'java/net/ServerSocket'
OF_OTHERS = 'java/net/Socks',
COMPLETE = 0, 2, 3  # exit codes of jtreg: all tests passed; some failed; some could not run
LIBRARIES = 'java/net/Socket/libNativeThread.c', '../lib/jdk/test/lib/thread/libVThreadPinner.c'
# In jtreg's format of known failures: TEST ISSUE PLATFORM, each after a comment with the reason.
LEFT_OUT = places.GUEST_FILES / 'jdk-tests-left-out.txt'


def ensure():
    """Returns the folder with the tests. Fetches and compiles them if the cache has none."""
    final = places.cache() / 'jdk-tests'
    programs.make_once(final, places.cache() / 'jdk-tests.lock', "waiting for another lab that is fetching the JDK's tests",
                       lambda: _make(final))
    return final


def release(folder):
    """Returns the version of the tests, such as openjdk-26-26.0.2.1+1."""
    return (folder / 'release').read_text()


def left_out():
    """Returns the reasons for which tests are left out, by the tests' names."""
    reasons, reason = {}, ''
    for line in LEFT_OUT.read_text().splitlines():
        if line.startswith('# '):
            reason = line[2:]
        elif line:
            reasons[line.split()[0]] = reason
    return reasons


def _make(final):
    if not available():
        raise LabError("the JDK's tests are in a source package of Debian, which cannot be fetched without apt-get")
    packages.install(packages.missing({name: packages.KERNEL_BUILD[name] for name in ('gcc', 'tar', 'xz')}) +
                     packages.missing_libraries(('libc6-dev',)))
    with tempfile.TemporaryDirectory(dir=places.cache()) as incoming:
        incoming = Path(incoming)
        made = incoming / 'made'
        made.mkdir()
        PrivateApt(JTREG[0]).download(JTREG[1], incoming / 'jtreg')
        shutil.copytree(incoming / 'jtreg' / 'usr' / 'share' / 'jtreg' / 'lib', made / 'jtreg')
        (made / 'release').write_text(_unpack(_fetch(incoming), made))
        _prepare(made / 'test' / 'jdk')
        _compile_libraries(made)
        _compile(made)
        made.rename(final)


def _fetch(incoming):
    for suite, package in SOURCES:
        folder = incoming / package
        folder.mkdir()
        try:
            progress(f"fetching the JDK's tests, in the source of {package}")
            PrivateApt(suite, 'deb-src').download_source(package, folder, '--tar-only')
        except LabError as e:
            if (suite, package) == SOURCES[-1]:
                raise
            warn(str(e).partition(';')[0])
            continue
        return next(folder.glob(f'{package}_*.orig.tar.*'))


def _unpack(archive, folder):
    """Unpacks the tests into the folder test; returns the name of the archive's root."""
    roots = 'test/lib', 'test/jdk/java/nio/channels', *(f'test/jdk/{name}' for name in NET + OF_OTHERS)
    subprocess.run(['tar', '-xf', archive, '-C', folder, '--wildcards', '--no-wildcards-match-slash',
                    *(f'*/{root}' for root in roots)], check=True)
    [root] = folder.glob('openjdk-*')
    (root / 'test').rename(folder / 'test')
    shutil.rmtree(root)
    return root.name


def _prepare(tests):
    (tests / 'TEST.ROOT').write_text('keys=intermittent randomness\nexternal.lib.roots=../../\nuseNewOptions=true\n')
    # Conditions on properties of a virtual machine, whose evaluation requires more parts of the JDK's source. All are true here.
    for file in tests.rglob('*.java'):
        text = file.read_text(encoding='utf-8', errors='surrogateescape')
        if (changed := re.sub(r'(?m)^ \* @requires .*\b(vm|sun)\..*\n', '', text)) != text:
            file.write_text(changed, encoding='utf-8', errors='surrogateescape')


def _compile_libraries(folder):
    (folder / 'native').mkdir()
    include = f'{java.home()}/include'
    for name in LIBRARIES:
        source = folder / 'test' / 'jdk' / name
        programs.logged(folder / 'gcc.log', f'{source.name} does not compile', 'gcc', '-shared', '-fPIC', '-pthread', f'-I{include}',
                        f'-I{include}/linux', f'-I{folder}/test/lib/native', '-o', folder / 'native' / f'{source.stem}.so', source)


def _compile(folder):
    """Compiles the tests in a run that starts none: each virtual machine only prints its version."""
    progress("compiling the JDK's tests; takes some minutes")
    work = folder / 'work'
    subprocess.run([java.program(), '-jar', folder / 'jtreg' / 'jtreg.jar', f'-jdk:{java.home()}', '-othervm', '-automatic',
                    '-ignore:quiet', f'-nativepath:{folder}/native', f'-workDir:{work}', f'-reportDir:{work}/report', '-javaoptions:--version',
                    *CHANNELS, *NET], cwd=folder / 'test' / 'jdk', check=False,
                   stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    classes = work / 'classes'
    if not any(classes.rglob('*.class')):
        raise LabError(f"the JDK's tests do not compile; jtreg's results are in {work}")
    classes.rename(folder / 'classes')
    shutil.rmtree(work)
