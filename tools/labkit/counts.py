# SPDX-License-Identifier: Apache-2.0
"""Instructions and system calls per message of C and Java, as counted by a plugin of QEMU.

The counts of a case's shortest run are subtracted from those of its long run, because starting, connecting and reporting cost the same in
both. The path of a message consists of the blocks that run once or a few times per message. A block that runs more
often belongs to a loop that waits for the other end, and does not count. Neither does a block that runs for few messages.
Yielding the processor is waiting. Java's compiler still runs occasionally, so its library, libjvm.so, is excluded.
"""
import csv
from collections import defaultdict
from dataclasses import dataclass

# Both ends' loops over a message run once or twice per message. Waiting loops run tens or hundreds of times.
MAX_RUNS = 8
OFTEN = 0.5
KERNEL = 1 << 63
SCHED_YIELD = 24
MODULES = 'rdma_rxe', 'ib_core', 'ib_uverbs'


@dataclass(frozen=True)
class Cost:
    """Cost of a message, for both ends together."""

    path: float  # instructions of the programs, without waiting loops
    system_calls: float  # without yields
    rxe: float  # instructions of the kernel's modules for RDMA
    kernel: float  # instructions of the rest of the kernel


@dataclass(frozen=True)
class Block:
    address: int
    instructions: int
    system_call: int | None

    @property
    def is_kernel(self):
        return self.address >= KERNEL


def of(results):
    """Returns {case: {language: Cost}} of a guest's results."""
    runs = defaultdict(dict)
    with open(results / 'runs.csv', encoding='utf-8') as file:
        for row in csv.DictReader(file):
            # Of several runs with the same number of messages the last is used, because the code is compiled by then.
            runs[row['case'], row['language']][int(row['messages'])] = row['mark']
    modules, found = modules_of(results / 'kallsyms'), {}
    compiler = [each for file in results.glob('maps-*') for each in library_of(file, 'libjvm.so')]
    for (case, language), marks in runs.items():
        few, many = min(marks), max(marks)
        if few < many:
            found.setdefault(case, {})[language] = cost(read(results / f'{marks[few]}.tsv'), read(results / f'{marks[many]}.tsv'),
                                                        many - few, modules, compiler if language == 'Java' else [])
    return found


def read(file):
    """Returns {(address, hash): (Block, runs)} of a run."""
    blocks = {}
    with open(file, encoding='ascii') as lines:
        for line in lines:
            address, instructions, code, runs, system_call = line.split()
            key = int(address, 16), code
            block = Block(key[0], int(instructions), None if system_call == '-1' else int(system_call))
            # The same code may have been translated several times.
            blocks[key] = block, blocks.get(key, (block, 0))[1] + int(runs)
    return blocks


def library_of(maps, name):
    """Returns the address ranges of a library from a process's memory map."""
    found = []
    for line in maps.read_text(encoding='utf-8').splitlines():
        if line.endswith('/' + name):
            start, end = line.split(' ', 1)[0].split('-')
            found.append(range(int(start, 16), int(end, 16)))
    return found


def modules_of(file):
    """Returns the address ranges of MODULES from the kernel's symbol table."""
    found = {}
    with open(file, encoding='ascii') as lines:
        for line in lines:
            address, _, _, *module = line.split()
            name = module[0].strip('[]') if module else ''
            if name in MODULES:
                place, old = int(address, 16), found.get(name)
                found[name] = range(min(place, old.start), max(place + 1, old.stop)) if old else range(place, place + 1)
    return list(found.values())


def cost(few, many, messages, modules, left_out):
    """Returns the cost of a message, from a run with few messages and one with many."""
    path = calls = rxe = kernel = 0
    for key, (block, runs) in many.items():
        rate = (runs - few.get(key, (block, 0))[1]) / messages
        instructions = block.instructions * rate
        if block.is_kernel:
            if any(block.address in module for module in modules):
                rxe += instructions
            else:
                kernel += instructions
            continue
        if block.system_call == SCHED_YIELD or any(block.address in library for library in left_out):
            continue
        if block.system_call is not None:
            calls += rate
        if OFTEN <= rate <= MAX_RUNS:
            path += instructions
    return Cost(path, calls, rxe, kernel)


COLUMNS = {
    'path': ('instructions', '{:.0f}'), 'system_calls': ('system calls', '{:.2f}'), 'rxe': ('rxe', '{:.0f}'),
    'kernel': ('kernel', '{:.0f}'),
}


def table(found):
    """Returns the table in Markdown."""
    lines = ['| | ' + ' | '.join(f'{head}: C | Java' for head, _ in COLUMNS.values()) + ' |', '| --- |' + ' --- |' * 2 * len(COLUMNS)]
    for case, languages in found.items():
        if len(languages) == 2:
            cells = [form.format(getattr(languages[language], name)) for name, (_, form) in COLUMNS.items()
                     for language in ('C', 'Java')]
            lines.append(f'| {case} | ' + ' | '.join(cells) + ' |')
    return '\n'.join(lines) + '\n'
