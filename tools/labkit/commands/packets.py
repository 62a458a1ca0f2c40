# SPDX-License-Identifier: Apache-2.0
"""tools/lab packets: compares `tools/verbs packets` with tshark, field by field."""
import concurrent.futures
import os
from pathlib import Path

from .. import captures, dissection, java, packages, places
from ..options import Options, number
from ..say import be_quiet, plain, progress

HELP = '''Usage: tools/lab packets [OPTION]… [FOLDER…]

Compares the output of 'tools/verbs packets' with tshark's: the frames that contain a RoCE packet, times, addresses,
VLANs, DSCP, and each field of each header. Reads all files below the folders with the suffixes .pcap, .pcapng and .cap. Without a
folder it generates captures: all opcodes, encapsulations, file formats and kinds of damage.

  --seed N             seed of the generated captures (default: 1)
  --keep FOLDER        keep the generated captures in FOLDER
  -q, --quiet          no progress lines

Headers that tshark 4.0 does not decode are not compared: those of XRC, flush and atomic write. Exit code 1: there are differences.
'''


def run(arguments):
    seed, kept = [1], []
    options = Options('packets')
    options.flag('-q', '--quiet', call=be_quiet)
    options.value('--seed', lambda option, value: seed.append(number(option, value)))
    options.value('--keep', lambda _, value: kept.append(Path(value)))
    folders = [Path(word) for word in options.parse(arguments)]
    packages.install(packages.missing(packages.DISSECTION))
    if not java.ensure_built():
        return 1
    if not folders:
        folders = [make(kept[-1] if kept else places.scratch(), seed[-1])]
    files = [path for folder in folders for path in dissection.captures(folder)]
    progress(f'comparing {len(files)} captures')
    packets = fields = different = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for path, (found, compared, frames) in zip(files, pool.map(compare, files)):
            packets += frames
            fields += compared
            different += len(found)
            for line in found:
                plain(f'{places.short(path)}: {line}')
    plain(f'{len(files)} captures, {packets} packets, {fields} fields compared, {different} differences')
    return 1 if different or not files else 0


def make(folder, seed):
    """Generates captures in a folder, and returns it."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, file in captures.Maker(seed).all():
        ending = 'pcapng' if file.startswith(b'\x0a\x0d\x0d\x0a') else 'pcap'
        (folder / f'{name}.{ending}').write_bytes(file)
    return folder


def compare(path):
    """Returns differences, the number of fields compared, and the number of packets."""
    ours = dissection.our_frames(path)
    found, compared = dissection.differences(ours, dissection.tshark_frames(path))
    return found, compared, len(ours)
