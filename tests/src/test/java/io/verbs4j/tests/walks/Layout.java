// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.walks;

import io.verbs4j.tests.support.Kernel;
import io.verbs4j.tests.support.TestBytes;
import io.verbs4j.types.Access;
import java.util.List;

/// The objects of each end of a walk, and the sizes that the model, the devices and the generated programs share.
final class Layout {
    /// Payload of a packet: messages of a walk have up to three.
    static final int MTU = 1024;

    /// Holds what the queue pairs are asked for. The kernel makes rings of a power of two, of which one slot stays
    /// empty.
    static final int SENDS = 15;
    static final int RECEIVES = 7;
    static final int ELEMENTS = 3;

    /// Bytes inline; more than the elements take would make room for more elements.
    static final int INLINE = 48;

    /// Holds what the completion queues are asked for at the start.
    static final int COMPLETIONS = 63;

    /// Acknowledgement timeout and retries, with which an unresponsive peer is given up after half a second; and the
    /// timeout of a walk without retransmissions, [Walk#patient()].
    static final int TIMEOUT = 14;
    static final int PATIENT_TIMEOUT = 20;
    static final int RETRIES = 6;

    /// A region of each end.
    ///
    /// @param bytes its length
    /// @param rights bits of [Access]
    record Region(int bytes, int rights) {}

    /// The registered memory of each end: memory for everything, memory for its own use, and read-only memory.
    static final List<Region> REGIONS = List.of(
            new Region(
                    4096,
                    Access.mask(
                            Access.LOCAL_WRITE,
                            Access.REMOTE_READ,
                            Access.REMOTE_WRITE,
                            Access.REMOTE_ATOMIC,
                            Access.MEMORY_WINDOW_BIND,
                            Access.FLUSH_GLOBAL)),
            new Region(2048, Access.mask(Access.LOCAL_WRITE)),
            new Region(2048, Access.mask(Access.REMOTE_READ, Access.MEMORY_WINDOW_BIND)));

    /// Memory windows of each end: the first is of type 1, the second of type 2.
    static final int WINDOWS = 2;

    private Layout() {}

    /// Slots of a ring that was asked to hold `entries`, less the one that stays empty.
    static int capacity(int entries) {
        return entries == 0 ? 0 : (Integer.highestOneBit(entries) << 1) - 1;
    }

    /// Returns what a region holds at the start, and after each renewal.
    static byte[] content(Side side, int region) {
        return TestBytes.of(side.ordinal() * REGIONS.size() + region,
                REGIONS.get(region).bytes);
    }

    /// The first packet sequence number of a life of a queue pair: far from that of the one before.
    static int packetSequenceNumber(Side side, int life) {
        return (side.ordinal() + 1) * 0x1000 + life * 0x4000 & 0xffffff;
    }

    /// All rights that a peer can be granted on a window.
    static int windowRights() {
        return Access.mask(Access.REMOTE_READ, Access.REMOTE_WRITE, Access.REMOTE_ATOMIC);
    }

    /// All rights that a peer can be granted on a queue pair.
    static int remoteRights() {
        return windowRights() | Access.FLUSH_GLOBAL.value();
    }

    /// Those of the rights that the running kernel knows.
    static int knownHere(int rights) {
        return Kernel.hasFlushAndAtomicWrite() ? rights : rights & ~Access.FLUSH_GLOBAL.value();
    }
}
