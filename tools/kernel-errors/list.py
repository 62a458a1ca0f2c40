#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Lists the error numbers that commands of uverbs and of the connection manager can end with, from the source of kernels.

    tools/kernel-errors/list.py [--update] SOURCE...

SOURCE is a folder with drivers/infiniband, include/rdma and kernel/cgroup of a kernel, as Debian's linux-source packages have them;
the list is of all that are given. It follows calls from the function that handles a command, through the core and rxe, and takes each
number that a function on its way names. One that is named and dealt with on the way is listed, too: the list may be too long, but
it lacks nothing that these files return. Printed are the command, the number, and a function that names it.

--update writes commands and numbers to the list that KernelErrorListTest compares with the causes that commands have.
"""
import re
import sys
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
LIST = REPOSITORY / 'uverbs-abi/src/test/resources/io/verbs4j/abi/failure/kernel-errors.txt'
COMMANDS = REPOSITORY / 'uverbs-abi/src/main/java'

CORE = ('uverbs_*.c', 'rdma_core.c', 'rdma_core.h', 'verbs.c', 'umem*.c', 'cache.c', 'ib_core_uverbs.c', 'cgroup.c',
        'counters.c', 'device.c', 'ucma.c', 'cma.c', 'cm.c', 'addr.c', 'multicast.c', 'sa_query.c', 'core_priv.h',
        'cma_priv.h')
# What a call does not return from, or returns nothing from: work and tasks that run later, other drivers and link layers, the
# kernel's own queue pairs, numbers that are logged and no more.
APART = re.compile(r'^iw_|^ib_cm_listen$|_handler$|_work$|cma_iw|cma_.*_iw$|init_module|ib_register_|ib_unregister|__init|'
                   r'_remove_one$|_add_one$|enable_device|disable_device|_exit$|netlink|ib_nl_|alloc_mad|'
                   r'^rxe_(receiver|requester|completer|sender)$|^__rxe_cleanup$|^cma_modify_qp|^ib_sa_|^cma_.*_ib$|xrcd|flow|dmabuf')
FUNCTION = re.compile(r'^[A-Za-z_][^;{}#=]*?\b(?P<name>\w+)\s*\((?:[^;{}]*)\)[^;{}()]*\n\{\n(?P<body>.*?)^\}', re.M | re.S)
MACRO = re.compile(r'^#define\s+(\w+)\([^)]*\)((?:[^\n]*\\\n)*[^\n]*)', re.M)
HANDLER = re.compile(r'UVERBS_HANDLER\(\s*(\w+)\s*\)')
# A number that is returned or stored, not compared with.
NUMBER = re.compile(r'(?<![=!]= )(?<!case )-(E[A-Z0-9]{2,})\b')
CALL = re.compile(r'\b([A-Za-z_]\w*)\s*\(')
MEMBER = re.compile(r'\.(\w+)\s*=\s*&?(\w+)\b')
OPERATION = re.compile(r'ops\s*\.\s*(\w+)\s*\(')
STRUCT = re.compile(r'^(?:static )?(?:const )?struct (\w+) (\w+)\s*=\s*\{(.*?)^\};', re.M | re.S)
WRITES = (('IB_USER_VERBS_CMD_', r'DECLARE_UVERBS_WRITE\(\s*IB_USER_VERBS_CMD_(\w+),\s*(\w+)'),
          ('IB_USER_VERBS_EX_CMD_', r'DECLARE_UVERBS_WRITE_EX\(\s*IB_USER_VERBS_EX_CMD_(\w+),\s*(\w+)'),
          ('RDMA_USER_CM_CMD_', r'\[RDMA_USER_CM_CMD_(\w+)\]\s*=\s*(\w+)'))
# What functions of other files answer, where the caller passes it on.
ELSEWHERE = {'get_unused_fd_flags': ['EMFILE'], 'anon_inode_getfile': ['ENFILE', 'ENOMEM'],
             'sock_create_kern': ['ENFILE', 'ENOMEM'], 'pin_user_pages_fast': ['EFAULT', 'ENOMEM'],
             'wait_event_interruptible': ['EINTR']}
# Numbers that mean something within the kernel only.
INSIDE = {'ENOMSG', 'ERESTARTSYS', 'EPROBE_DEFER'}
SEEN_AS = {'ENOIOCTLCMD': 'ENOTTY'}


def read(file):
    text = file.read_text(encoding='utf-8', errors='replace')
    text = re.sub(r'/\*.*?\*/', '', text, flags=re.S)
    text = re.sub(r'"(?:\\.|[^"\\\n])*"', '""', text)
    return HANDLER.sub(r'handler_\1', re.sub(r'//[^\n]*', '', text))


class Source:
    def __init__(self, folder):
        infiniband = folder / 'drivers/infiniband'
        files = [file for pattern in CORE for file in sorted((infiniband / 'core').glob(pattern))]
        files += sorted((infiniband / 'sw/rxe').glob('*.[ch]')) + [folder / 'kernel/cgroup/rdma.c']
        files += sorted((folder / 'include/rdma').glob('*.h'))
        self.bodies, self.members, self.driver, self.commands = {}, {}, {}, {}
        for file in files:
            text = read(file)
            for match in FUNCTION.finditer(text):
                self.bodies.setdefault(match['name'], match['body'])
            for name, body in MACRO.findall(text):
                self.bodies.setdefault(name, body)
            for kind, name, body in STRUCT.findall(text):
                if kind == 'ib_device_ops' and not name.startswith('rxe'):
                    continue
                into = self.driver if kind == 'ib_device_ops' else self.members
                for field, function in MEMBER.findall(body):
                    into.setdefault(field, set()).add(function)
            for prefix, declaration in WRITES:
                self.commands |= {prefix + command: function for command, function in re.findall(declaration, text)}
            for method in re.findall(r'handler_UVERBS_METHOD_(\w+)', text):
                self.commands['UVERBS_METHOD_' + method] = 'handler_UVERBS_METHOD_' + method
            for method in re.findall(r'DECLARE_UVERBS_NAMED_METHOD_DESTROY\(\s*UVERBS_METHOD_(\w+)', text):
                self.commands.setdefault('UVERBS_METHOD_' + method, 'uverbs_destroy_def_handler')

    def numbers(self, start):
        """Returns each error number with a function that names it."""
        found, seen, waiting = {}, set(), [start]
        while waiting:
            name = waiting.pop()
            if name in seen or name not in self.bodies or name != start and APART.search(name):
                continue
            seen.add(name)
            body = self.bodies[name]
            for number in NUMBER.findall(body):
                if number not in INSIDE:
                    found.setdefault(SEEN_AS.get(number, number), name)
            for operation in OPERATION.findall(body):
                waiting += sorted(self.driver.get(operation, ()))
            for called in CALL.findall(body):
                waiting += [called] if called in self.bodies else sorted(self.members.get(called, ()))
                for number in ELSEWHERE.get(called, ()):
                    found.setdefault(number, f'{name} by {called}')
        return found

    def entry(self, command):
        """Returns the functions through which a command reaches the one that handles it."""
        return ['ucma_write'] if command.startswith('RDMA_') else ['ib_uverbs_write', 'ib_uverbs_ioctl']


def known():
    """Returns the C names of the commands that the library has."""
    names = set()
    for file in COMMANDS.rglob('*.java'):
        text = file.read_text(encoding='utf-8')
        names |= {'IB_USER_VERBS_CMD_' + name for name in re.findall(r'IbUserVerbsCmd\s*\.of\(\s*\d+,\s*"(\w+)"', text)}
        names |= {'IB_USER_VERBS_EX_CMD_' + name
                  for name in re.findall(r'IbUserVerbsCmd\s*\.ofExtended\(\s*\d+,\s*"(\w+)"', text)}
        names |= {'RDMA_USER_CM_CMD_' + name for name in re.findall(r'RdmaUcmCmd\s*\.of\(\s*\d+,\s*"(\w+)"', text)}
        names |= set(re.findall(r'"(UVERBS_METHOD_\w+)"', text))
        names |= {'UVERBS_METHOD_' + name for name in re.findall(r'UverbsMethod\s*\.of\([^"]*"(\w+)"', text)}
    return names


def main():
    update = '--update' in sys.argv
    folders = [Path(argument) for argument in sys.argv[1:] if not argument.startswith('-')]
    if not folders:
        sys.exit(__doc__)
    names, rows = known(), {}
    for folder in folders:
        source = Source(folder)
        for command, function in source.commands.items():
            if command in names:
                for start in [function, *source.entry(command)]:
                    for number, where in source.numbers(start).items():
                        rows.setdefault(command, {}).setdefault(number, where)
    for command, numbers in sorted(rows.items()):
        for number, where in sorted(numbers.items()):
            print(command, number, where)
    if update:
        LIST.parent.mkdir(parents=True, exist_ok=True)
        LIST.write_text(''.join(f'{command} {" ".join(sorted(numbers))}\n' for command, numbers in sorted(rows.items())),
                        encoding='utf-8')


if __name__ == '__main__':
    main()
