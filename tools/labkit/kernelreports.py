# SPDX-License-Identifier: Apache-2.0
"""Reports of the kernel's own checks (KASAN, lockdep, kmemleak and others of kernel uml-debug) during a guest's run."""
import re
from dataclasses import dataclass

from . import places

KNOWN = places.GUEST_FILES / 'known-kernel-reports.txt'
# The first lines of reports.
BEGINNING = re.compile(r'(BUG: |WARNING: |UBSAN: |ODEBUG: |INFO: (?:task|trying to register|rcu)|Kernel panic|Oops|refcount_t: '
                       r'|list_(?:add|del) corruption|general protection fault|unreferenced object |DEBUG_LOCKS_WARN_ON'
                       r'|rcu: INFO: |=+ BUG |Internal error|scheduling while atomic).*')
# Maximum number of lines of a report. The stack shows its origin.
LINES = 80
STAMP = re.compile(r'^(?:<\d+>)?\[\s*\d+\.\d+\](?:\[\s*[TC]\d+\])? ?')
END = re.compile(r'---\[ end trace|^=+$')


@dataclass
class Report:
    title: str
    text: str  # its lines, including the title

    def place(self):
        """Returns the first function of the stack that belongs neither to the checks nor to memory management."""
        own = re.compile(r'kasan|dump_stack|print_|check_|lock_|lockdep|__warn|kmem|kmalloc|kzalloc|slab|show_stack|report')
        for name in re.findall(r'([A-Za-z_][\w.]*)\+0x[0-9a-f]+/0x', self.text):
            if not own.search(name):
                return name
        return ''

    def __str__(self):
        return f'{self.title} ({self.place()})' if self.place() else self.title


def find(log):
    """Returns the reports in a kernel's log or in kmemleak's list."""
    reports, open_lines = [], None
    for line in log.splitlines():
        line = STAMP.sub('', line)
        beginning = BEGINNING.match(line)
        # A report may contain further titles: "refcount_t: underflow" precedes or follows its WARNING.
        if beginning and (open_lines is None or line.startswith('unreferenced object') or len(open_lines) > 8):
            open_lines = [line]
            reports.append(open_lines)
        elif open_lines is not None:
            open_lines.append(line)
            if END.search(line) and len(open_lines) > 3 or len(open_lines) >= LINES:
                open_lines = None
    return [Report(_title(lines), '\n'.join(lines)) for lines in reports]


def _title(lines):
    """Returns the title without addresses and process numbers, so that equal reports have equal titles."""
    return re.sub(r'0x[0-9a-f]{6,}|\b[0-9a-f]{16}\b', '…', re.sub(r'\bCPU: \d+ |PID: \d+ |#\d+: ', '', lines[0])).strip()


def known(text):
    """Returns the known reports, each a regular expression for its text, with the reason. A line: REGEX  REASON."""
    rows = [re.split(r'\s{2,}', line.strip(), maxsplit=1) for line in text.splitlines() if line.strip() and not line.startswith('#')]
    return [(re.compile(row[0], re.S), row[1] if len(row) > 1 else '') for row in rows]


def unknown(results):
    """Returns the unknown reports of a guest's kernel: each title once, with the number of its occurrences."""
    seen = {}
    expressions = [expression for expression, _ in known(KNOWN.read_text())]
    for name in ('console.log', 'kmemleak.txt'):
        file = results / name
        for report in find(file.read_text(errors='replace')) if file.exists() else ():
            if not any(expression.search(report.text) for expression in expressions):
                seen.setdefault(str(report), []).append(report)
    return [f'the kernel reported {len(reports)} times: {title}' if len(reports) > 1 else f'the kernel reported: {title}'
            for title, reports in seen.items()]
