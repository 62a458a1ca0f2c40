// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.simulator.rxe;

import io.verbs4j.simulator.profile.Behaviour;
import io.verbs4j.types.Access;
import io.verbs4j.types.QueuePairType;
import org.jspecify.annotations.Nullable;

/// Checks a request before the responder executes it: order, access rights, length and key.
record RequestChecks(QueuePair owner) {
    /// Flush for global visibility; 2 means persistence.
    private static final int GLOBAL = 1;

    private static final int PERSISTENT = 2;
    private static final long LONGEST = 1L << 31;

    /// Position of a packet in its message.
    enum Sequence {
        FITS,
        MISSING_FIRST,
        MISSING_LAST
    }

    /// @param before opcode of the previous packet, or [QueuePair#NONE]
    Sequence sequence(Packet packet, int before) {
        if (owner.shape.type() == QueuePairType.UD) {
            return Sequence.FITS;
        }
        int last = before == QueuePair.NONE ? 0 : Opcode.properties(before);
        boolean within = (last & Opcode.END) == 0 && (last & (Opcode.START | Opcode.MIDDLE)) != 0;
        boolean starts = packet.is(Opcode.START);
        if (!within) {
            return starts ? Sequence.FITS : Sequence.MISSING_FIRST;
        }
        boolean same = (last & Opcode.SENDS) != 0 ? packet.is(Opcode.SENDS) : packet.is(Opcode.WRITES);
        return !starts && same ? Sequence.FITS : Sequence.MISSING_LAST;
    }

    /// Returns whether the queue pair permits the peer's operation.
    boolean permits(Packet packet) {
        int access = owner.attributes.access;
        int needed = packet.is(Opcode.READS) ? Access.REMOTE_READ.value() : 0;
        if (packet.is(Opcode.WRITES | Opcode.WRITES_ATOMICALLY)) {
            needed |= Access.REMOTE_WRITE.value();
        }
        if (packet.is(Opcode.ATOMIC)) {
            needed |= Access.REMOTE_ATOMIC.value();
        }
        if (packet.is(Opcode.FLUSHES)) {
            needed |= flushRights(packet);
        }
        return (access & needed) == needed;
    }

    private static int flushRights(Packet packet) {
        return ((packet.flushType & GLOBAL) != 0 ? Access.FLUSH_GLOBAL.value() : 0)
                | ((packet.flushType & PERSISTENT) != 0 ? Access.FLUSH_PERSISTENT.value() : 0);
    }

    /// Returns whether a flush can be executed. The simulated memory is not persistent.
    boolean flushes(Packet packet) {
        return (packet.flushType & PERSISTENT) == 0;
    }

    /// Returns whether the payload has the length that its position in the message requires.
    boolean length(Packet packet) {
        if (packet.is(Opcode.RETH) && Integer.toUnsignedLong(packet.length) > LONGEST) {
            return false;
        }
        if (!packet.is(Opcode.PAYLOAD)) {
            return true;
        }
        int bytes = packet.payload.length;
        if (packet.isAll(Opcode.START | Opcode.END)) {
            return bytes <= owner.mtu;
        }
        return packet.is(Opcode.END) ? bytes > 0 && bytes <= owner.mtu : bytes == owner.mtu;
    }

    /// Returns the region that a key permits access to, directly or through a window.
    @Nullable
    Region region(Packet packet, int key, long address, int bytes) {
        int access = packet.is(Opcode.READS)
                ? Access.REMOTE_READ.value()
                : packet.is(Opcode.ATOMIC)
                        ? Access.REMOTE_ATOMIC.value()
                        : packet.is(Opcode.FLUSHES) ? flushRights(packet) : Access.REMOTE_WRITE.value();
        if (!RxeDevice.isOfWindow(key)) {
            return owner.device.region(key, owner.shape.domain(), access);
        }
        Window window = owner.device.window(key, owner, access);
        if (window == null) {
            return null;
        }
        boolean within = Region.contains(window.address, window.length, address, Integer.toUnsignedLong(bytes));
        return within || owner.device.has(Behaviour.WINDOWS_REACH_THE_WHOLE_REGION) ? window.region : null;
    }

    /// Returns the offset for addresses of a zero-based window.
    long base(int key) {
        Window window = RxeDevice.isOfWindow(key) ? owner.device.window(key) : null;
        return window != null && (window.access & Access.ZERO_BASED.value()) != 0 ? window.address : 0;
    }

    /// Returns the region of a read that is being answered, if its key is still valid.
    @Nullable
    Region stillThere(int key) {
        if (!RxeDevice.isOfWindow(key)) {
            return owner.device.region(key);
        }
        Window window = owner.device.window(key);
        return window == null || !window.valid ? null : window.region;
    }
}
