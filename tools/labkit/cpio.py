# SPDX-License-Identifier: Apache-2.0
"""Writes cpio archives in the format of the kernel's initrd ("newc", Documentation/driver-api/early-userspace)."""


class Writer:
    def __init__(self, file):
        self._file = file
        self._inode = 0

    def folder(self, name):
        self._entry(name, 0o040755, b'')

    def file(self, name, data, executable=False):
        self._entry(name, 0o100755 if executable else 0o100644, data)

    def end(self):
        self._entry('TRAILER!!!', 0, b'')

    def _entry(self, name, mode, data):
        self._inode += 1
        encoded = name.encode() + b'\0'
        # inode, mode, uid, gid, links, mtime, size, the four numbers of devices, length of the name, checksum
        numbers = (self._inode, mode, 0, 0, 1, 0, len(data), 0, 0, 0, 0, len(encoded), 0)
        header = b'070701' + b''.join(b'%08X' % number for number in numbers)
        self._file.write(_padded(header + encoded))
        self._file.write(_padded(data))


def _padded(data):
    return data + b'\0' * (-len(data) % 4)
