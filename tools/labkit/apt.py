# SPDX-License-Identifier: Apache-2.0
"""Downloads Debian packages without installing them, with the machine's apt and separate package lists."""
import os
import re
import subprocess
from pathlib import Path

from . import packages, places, programs
from .kernelnames import version_key
from .say import LabError, progress

KEYRING = '/usr/share/keyrings/debian-archive-keyring.gpg'
PUBLIC_ARCHIVE = 'http://deb.debian.org/debian'


def available():
    return bool(programs.find('apt-get') and programs.find('dpkg-deb'))


class Apt:
    """The machine's own package lists."""

    suite = "this machine's"

    def __init__(self):
        self.options = ['-o', 'APT::Sandbox::User=root'] if os.geteuid() == 0 else []

    def search(self, pattern):
        """Returns the names of packages that match a regular expression, the newest last."""
        lines = programs.output('apt-cache', *self.options, 'search', '--names-only', pattern).splitlines()
        return sorted((line.split()[0] for line in lines if line.strip()), key=version_key)

    def depends(self, package):
        """Returns the line with a package's dependencies."""
        match = re.search(r'^Depends: (.*)$', programs.output('apt-cache', *self.options, 'show', '--no-all-versions', package), re.M)
        return match[1] if match else ''

    def download(self, package, folder):
        """Downloads a package and unpacks it into a folder."""
        folder.mkdir(parents=True, exist_ok=True)
        incoming = places.scratch()
        progress(f'fetching {package}')
        programs.logged(incoming / 'apt.log', f'cannot download {package}',
                        'apt-get', *self.options, '-qq', 'download', package, cwd=incoming)
        for deb in incoming.glob('*.deb'):
            subprocess.run(['dpkg-deb', '-x', deb, folder], check=True)
            deb.unlink()

    def source_version(self, package):
        """Returns the newest version of a source package, without the revision of the packaging."""
        text = programs.output('apt-cache', *self.options, 'showsrc', '--only-source', package)
        versions = re.findall(r'^Version: (?:\d+:)?(\S+?)(?:-[^-\s]+)?$', text, re.M)
        if not versions:
            raise LabError(f"no source package {package} in Debian's {self.suite}")
        return max(versions, key=version_key)

    def download_source(self, package, folder, *options):
        programs.logged(folder / 'apt.log', f'cannot download the source of {package}',
                        'apt-get', *self.options, '-qq', 'source', '--download-only', *options, package, cwd=folder)


class PrivateApt(Apt):
    """A configuration in the cache with one source: binary packages (deb) or source packages (deb-src) of a suite."""

    def __init__(self, suite, kind='deb', arch='amd64'):
        super().__init__()
        self.suite = suite
        if not os.access(KEYRING, os.R_OK):
            packages.install(['debian-archive-keyring'])
        name = suite if kind == 'deb' else f'{suite}-{kind}'
        folder = places.cache() / 'apt' / (name if arch == 'amd64' else f'{name}-{arch}')
        for name in ('lists/partial', 'cache/archives/partial'):
            (folder / name).mkdir(parents=True, exist_ok=True)
        (folder / 'sources.list').write_text(f'{kind} [arch={arch} signed-by={KEYRING}] {archive_uri()} {suite} main\n')
        self.options += ['-o', f'Dir::Etc::sourcelist={folder}/sources.list', '-o', 'Dir::Etc::sourceparts=-',
                         '-o', f'Dir::State::lists={folder}/lists', '-o', f'Dir::Cache={folder}/cache',
                         # Only the package index is needed, not translations and file lists.
                         '-o', 'Acquire::Languages=none',
                         '-o', 'Acquire::IndexTargets::deb::Contents-deb::DefaultEnabled=false',
                         '-o', f'APT::Architecture={arch}', '-o', f'APT::Architectures::={arch}']
        self._folder = folder
        progress(f'reading the package index of {suite}')
        log = folder / 'update.log'
        log.write_bytes(b'')
        with programs.locked(folder / 'update.lock', f'waiting for another lab that is reading the package index of {suite}'):
            programs.logged(log, f'cannot read the package index of {suite}', 'apt-get', *self.options, '-qq', 'update')

    def download_with_dependencies(self, names):
        """Downloads packages with all dependencies, as for a machine without installed packages; returns the files."""
        nothing = self._folder / 'nothing-installed'
        nothing.write_bytes(b'')
        progress(f'fetching {len(names)} packages of {self.suite} with their dependencies')
        programs.logged(self._folder / 'install.log', f'cannot download packages of {self.suite}',
                        'apt-get', *self.options, '-o', f'Dir::State::status={nothing}', '-qq', '-y', '--download-only',
                        '--no-install-recommends', 'install', *names)
        return sorted((self._folder / 'cache' / 'archives').glob('*.deb'))


def os_release(name):
    """Returns a value of this machine's distribution, such as bookworm for VERSION_CODENAME."""
    try:
        match = re.search(rf'^{name}="?([^"\n]*)', Path('/etc/os-release').read_text(), re.M)
    except OSError:
        return ''
    return match[1] if match else ''


def archive_uri():
    """Returns the archive of Debian that this machine installs from, or else the public one. It contains all suites."""
    # The release files contain the origin. They are left out on Debian, because a fresh container has none.
    choice = '--no-release-info' if os_release('ID') == 'debian' else 'Origin: Debian'
    return choose_archive(programs.output('apt-get', 'indextargets', '--format', '$(REPO_URI) $(RELEASE)',
                                          'Created-By: Packages', choice), os_release('VERSION_CODENAME'))


def choose_archive(targets, own):
    """Returns the best archive of apt's index targets, which are lines "URI RELEASE"."""
    best, top = PUBLIC_ARCHIVE, -1
    for line in targets.splitlines():
        # Third-party archives may be among them, and the security archive has no other suites.
        if '-security' in line or not line.strip():
            continue
        uri, _, release = line.partition(' ')
        rank = (2 if re.search(r'/debian/?$', uri) else 0) + (1 if release == own else 0)
        if rank > top:
            best, top = uri, rank
    return best
