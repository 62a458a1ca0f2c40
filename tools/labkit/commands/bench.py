# SPDX-License-Identifier: Apache-2.0
"""tools/lab bench: compares Java with C in one guest."""
import re

from .. import boots, comparison, counts, growth, guest, java, kernelnames, kernels, packages, peers, places, programs, qemu, speedtable
from ..options import GUEST_HELP, Options, number
from ..say import UsageError, plain

HELP = f'''Usage: tools/lab bench [OPTION]…

Compares verbs4j with C in one guest: ping-pong, the eight tests of perftest over sizes of messages, and message rate by
work requests per doorbell, queue pairs, and completion by events, with the processor time of each message. The C programs
are those of rdma-core and perftest; Java uses the same commands of tools/verbs.

The cases run one after another. For each case, the two Java processes are warmed up until their compilers are idle. Then
the rounds of the case follow, alternating between C and Java. A run that hangs is stopped and counted as failed, and the
bench continues. Latencies rest on the clock reads before the first message and before the last one.

If the bench ends early, the finished cases count, also for --update.

With two or more boots, a case whose boots differ too much runs again in further boots, at most as many as --boots. The
middle half of the boots' ratios may extend over 15 % of their median. All boots count.

While it measures time, this machine's idle processors poll instead of sleeping, if the user has the permission
(/dev/cpu_dma_latency).

Prints a table of medians; leaves table.md and ratios.svg in the results, and rounds.csv in those of each boot.

  --rounds N           rounds of each case in a boot (default: 5)
  --sizes LIST         bytes of a message (default: 2,64,1024,65536,1048576)
  --tests LIST         only cases whose names match one of these regular expressions, such as send-lat or rc-pingpong,write-bw
                       (default: all)
  --quick              3 rounds of 64 and 65536 bytes
  --minutes N          in each boot, start no case later than N minutes after the first one (default: 45)
  --boots N            boots (default: 1); the median is reported, because rounds of one boot share conditions that vary between boots
  --connections        connections by IP address instead: cmtime at both ends, 300 connections per round after 2000 for
                       the warm-up; of the other options only --rounds (default: 10), --boots and --update apply. Prints the
                       time of each step; leaves connections.csv
  --growth             cost by number of objects instead: 1 to 10,000 queue pairs and connections, 1 to 100,000 regions, 1 to 64
                       threads; of the other options only --rounds (default: 3), --boots and --update apply. Prints a table, leaves
                       growth.csv, growth.md and growth.svg
  --second-thread      add a sleeping second thread to the C programs, because each JVM has several threads: the kernel takes a
                       reference to a file in each system call of a process with more than one. Not with --update
  --sockets            sockets instead: channels over RDMA, the JDK's channels over TCP on the same wire, and connections of a C
                       program with rsockets. Measures a ping-pong and a stream with Netty, a ping-pong without Netty and its
                       allocated bytes, connections per second, and the wake-up of a selector by a pipe. Of the other options
                       only --rounds (default: 5) and --boots apply. Prints a table, leaves sockets.csv and sockets.md
  --started            restart both programs for each ping-pong, Java by tools/verbs with its own options: 20,000
                       iterations polling and 10,000 by events. Of the other options only --rounds (default: 5), --boots and
                       --update apply
  --count              count instructions instead of time, by a plugin of QEMU: those of both programs and the kernel per
                       message in the last of two rounds of many messages, without loops that wait. Of the other options
                       only --rounds, --sizes (default: 2), --tests, --minutes and --update apply. Prints a table, leaves
                       counts.md, and the code blocks of each run
  --update             put the table into docs/performance.md. Messages, --started and --connections share one table there:
                       the measured cases get new figures for this kind of kernel (emulated or user-mode
                       Linux), and all other figures stay. For messages in an emulated machine, also draw
                       docs/images/ratios.svg, which README.md shows
{GUEST_HELP}

Exit code 1: for at least one case, each run failed, so the case has no figures.
'''


def run(arguments):
    settings = guest.Settings(timeout=-1)
    chosen = {'rounds': 0, 'sizes': '', 'tests': '.', 'minutes': 45, 'boots': 1}
    update, modes = [], []
    options = Options('bench', settings)
    for name in ('rounds', 'minutes', 'boots'):
        options.value(f'--{name}', lambda option, value: chosen.update({option[2:]: number(option, value)}))
    for name in ('sizes', 'tests'):
        options.value(f'--{name}', lambda option, value: chosen.update({option[2:]: value}))
    options.flag('--quick', call=lambda: chosen.update(rounds=3, sizes='64,65536'))
    for name in ('connections', 'growth', 'second-thread', 'sockets', 'started', 'count'):
        options.flag(f'--{name}', call=lambda name=name: modes.append(name))
    options.flag('--update', call=lambda: update.append(True))
    options.parse_all(arguments)
    if len(set(modes)) > 1:
        raise UsageError(f'bench: --{modes[0]} and --{modes[1]} cannot be combined')
    mode = modes[0] if modes else ''
    if update and mode in ('second-thread', 'sockets'):
        raise UsageError(f'bench: --{mode} and --update cannot be combined')
    chosen['sizes'] = chosen['sizes'] or ('2' if mode == 'count' else '2,64,1024,65536,1048576')
    if not re.fullmatch(r'[1-9][0-9]*(,[1-9][0-9]*)*', chosen['sizes']):
        raise UsageError(f"bench: --sizes needs numbers separated by commas, not '{chosen['sizes']}'")
    try:
        [re.compile(each) for each in chosen['tests'].split(',')]
    except re.error as error:
        raise UsageError(f"bench: --tests needs regular expressions separated by commas: {error}") from None
    if settings.timeout < 0:
        # Time after the last case that starts in time, and before the first: boot, warm-up, and one run that hangs.
        settings.timeout = chosen['minutes'] * 60 + 1200
    kernelnames.check_name(settings.kernel)
    if not settings.devices or settings.hide_rdma_core:
        raise UsageError('bench needs the devices and rdma-core')
    packages.ensure_with_jdk()
    if not java.ensure_built():
        return 1
    if mode == 'connections':
        return _connections(settings, chosen, update)
    if mode == 'started':
        return _started(settings, chosen, update)
    if mode == 'sockets':
        return _sockets(settings, chosen)
    if mode == 'growth':
        return _growth(settings, chosen, update)
    if mode == 'count':
        return _counts(settings, chosen, update)
    preloaded = [_compile('sleeper', '-shared', '-fPIC', '-lpthread')] if mode == 'second-thread' else []
    return _messages(settings, chosen, update, preloaded)


def _messages(settings, chosen, update, preloaded):
    """Compares messages."""
    return boots.run_each(settings, chosen['boots'], lambda done: next_command(chosen, done, preloaded),
                          lambda done: report_messages(done, update))


def report_messages(done, update):
    """Prints the finished cases, also of a boot that did not finish. Returns 1 if each run of a case failed."""
    done = [each for each in done if (each.results / 'rounds.csv').is_file()]
    cases = comparison.of(_texts(done, 'rounds.csv'))
    failed = [name for name, case in cases.items() if not case.boots]
    cases = {name: case for name, case in cases.items() if case.boots}
    if cases:
        results = guest.make_results('boots')
        kernel = done[0].kernel
        found = comparison.figures(kernel.release, cases, _texts(done, 'machine.csv'), [each.load for each in done])
        text = speedtable.text({_machine(kernel): found})
        (results / 'table.md').write_text(text)
        (results / 'ratios.svg').write_text(comparison.picture({name: case.ratios for name, case in cases.items()}))
        plain(f'\n{text}\n{places.short(results)}')
        if update:
            machines = _update_speed(kernel, found)
            if not kernel.user_mode:
                ratios = speedtable.ratios(machines[speedtable.EMULATED])
                (places.REPOSITORY / 'docs' / 'images' / 'ratios.svg').write_text(comparison.picture(
                    {case: each for case, each in ratios.items() if speedtable.is_of_messages(case)}))
    if failed:
        plain(f'without figures, because each run failed: {", ".join(failed)}')
    return int(bool(failed))


def next_command(chosen, done, preloaded):
    """Returns the command of the next boot: first of all cases, then of those whose boots differ too much."""
    tests, count = chosen['tests'], chosen['boots']
    if len(done) >= count:
        names = comparison.unsettled(comparison.of(_texts(done, 'rounds.csv'))) if len(done) < 2 * count else []
        tests = ','.join(f'^{name}$' for name in names)
    return tests and [places.GUEST_FILES / 'guest-bench', len(done) + 1, chosen['rounds'] or 5, chosen['sizes'], tests,
                      chosen['minutes'], *preloaded]


def _texts(done, name):
    return [(each.results / name).read_text() for each in done]


def _connections(settings, chosen, update):
    def report(done):
        if texts := boots.finished(done, 'connections.csv'):
            found = boots.compared(texts, summed=True)
            if len(texts) > 1:
                plain(boots.table(found, 'µs a connection'))
            if update:
                _update_others(done[0].kernel, {('connection', 'µs'): found['all']})
    class_path = places.REPOSITORY / 'tests' / 'target' / 'dist' / 'lib' / '*'
    return boots.run(settings, chosen['boots'], [places.GUEST_FILES / 'guest-bench-connections', class_path, chosen['rounds'] or 10,
                                                 300, 2000], report)


def _started(settings, chosen, update):
    def report(done):
        if texts := boots.finished(done, 'started.csv'):
            found = boots.compared(texts)
            plain(boots.table(found, 'µs an iteration'))
            if update:
                _update_others(done[0].kernel, {(f'rc-pingpong {kind}, just started', 'µs/iteration'): figures
                                                for kind, figures in found.items()})
    return boots.run(settings, chosen['boots'], [places.GUEST_FILES / 'guest-bench-started', chosen['rounds'] or 5], report)


def _sockets(settings, chosen):
    def report(done):
        if texts := boots.finished(done, 'sockets.csv'):
            text = peers.table(texts)
            (done[-1].results / 'sockets.md').write_text(text)
            plain(f'\n{text}\n{places.short(done[-1].results)}')
    packages.install(packages.missing_libraries(('librdmacm-dev',)))
    program = _compile('connects', '-lrdmacm')
    return boots.run(settings, chosen['boots'], [places.GUEST_FILES / 'guest-bench-sockets', program, chosen['rounds'] or 5], report)


def _compile(name, *options):
    """Compiles a C program of the bench, and returns its path."""
    program = places.REPOSITORY / 'tests' / 'target' / 'bench' / name
    program.parent.mkdir(parents=True, exist_ok=True)
    if not programs.find('gcc'):
        packages.install(['gcc', 'libc6-dev'])
    programs.logged(program.with_suffix('.log'), f'{name}.c does not compile', 'gcc', '-O2', '-o', program,
                    places.REPOSITORY / f'tests/src/bench/c/{name}.c', *options)
    return program


def _counts(settings, chosen, update):
    """Compares the instructions of C and Java per message."""
    qemu.require_plugins()
    if kernels.resolve(settings.kernel).user_mode:
        raise UsageError('bench: --count needs QEMU, so it does not support user-mode Linux')
    settings.plugin = _compile('count', '-shared', '-fPIC', '-fvisibility=hidden', '-lpthread')
    done = guest.run(settings, [places.GUEST_FILES / 'guest-bench', f"-Dbench.mark={_compile('mark')}", 1, chosen['rounds'] or 2,
                                chosen['sizes'], chosen['tests'], chosen['minutes']])
    if done.code:
        return done.code
    text = counts.table(counts.of(done.results))
    (done.results / 'counts.md').write_text(text)
    plain(f'\n{text}\n{places.short(done.results)}')
    if update:
        _update_page(places.REPOSITORY / 'docs' / 'performance.md', f'{done.kernel.release}:\n\n{text}\n', 'counts')
    return 0


def _growth(settings, chosen, update):
    def report(done):
        if texts := boots.finished(done, 'growth.csv'):
            found = growth.medians(texts)
            text, picture = growth.table(found), growth.curves(found)
            results = done[-1].results
            (results / 'growth.md').write_text(text)
            (results / 'growth.svg').write_text(picture)
            plain(f'\n{text}\n{places.short(results)}')
            if update:
                docs = places.REPOSITORY / 'docs'
                (docs / 'images' / 'growth.svg').write_text(picture)
                _update_page(docs / 'performance.md', f'{done[0].kernel.release}, {len(texts)} boots:\n\n{text}\n'
                             '![Cost of objects by their number, C and Java](images/growth.svg)\n', 'growth')
    program = _compile('growth', '-libverbs', '-lpthread')
    class_path = places.REPOSITORY / 'tests' / 'target' / 'dist' / 'lib' / '*'
    return boots.run(settings, chosen['boots'], [places.GUEST_FILES / 'guest-bench-growth', class_path, program, chosen['rounds'] or 3],
                     report)


def _machine(kernel):
    return speedtable.USER_MODE if kernel.user_mode else speedtable.EMULATED


def _update_others(kernel, found):
    _update_speed(kernel, speedtable.Figures(cells={row: speedtable.cells(*each) for row, each in found.items()}))


def _update_speed(kernel, figures):
    """Updates the table of C and Java in the page; returns all its figures."""
    page = places.REPOSITORY / 'docs' / 'performance.md'
    machines = speedtable.updated(bench_of(page.read_text()), _machine(kernel), figures)
    _update_page(page, f'{speedtable.text(machines)}\n', 'bench')
    return machines


def _update_page(page, text, mark):
    page.write_text(replace_bench(page.read_text(), text, mark))


def replace_bench(page, text, mark):
    """Returns a page with the text between the two marks of this name replaced."""
    return re.sub(rf'(<!-- {mark} -->[^\n]*\n).*?(?=[^\n]*<!-- end of {mark} -->)', lambda match: match[1] + text, page,
                  flags=re.S)


def bench_of(page):
    """Returns the text between the two marks of the table of C and Java."""
    return page.partition('<!-- bench -->')[2].partition('<!-- end of bench -->')[0]
