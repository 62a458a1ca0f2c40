// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.simulator.rxe;

import org.jspecify.annotations.Nullable;

/// The peer's access to our memory that is under way: where it goes on, and how much of it is left.
final class RemoteAccess {
    private final QueuePair owner;
    private final RequestChecks checks;
    private long address;
    private int left;
    private int length;
    private int key;
    private @Nullable Region region;

    RemoteAccess(QueuePair owner, RequestChecks checks) {
        this.owner = owner;
        this.checks = checks;
    }

    /// Begins or goes on with what a request asks for, if its key grants it.
    Fault check(Packet packet) {
        if (packet.is(Opcode.RETH | Opcode.ATOMIC_ETH)) {
            boolean atomic = packet.is(Opcode.ATOMIC);
            address = packet.remoteAddress + checks.base(packet.key);
            length = atomic ? Long.BYTES : packet.length;
            left = length;
            key = packet.key;
        }
        if (packet.is(Opcode.RETH) && packet.length == 0 && packet.is(Opcode.READS | Opcode.WRITES)) {
            region = null;
            return Fault.NONE;
        }
        if (length == 0 && packet.is(Opcode.WRITES)) {
            return Fault.NONE;
        }
        Region found = checks.region(packet, key, address, left);
        boolean whole = packet.is(Opcode.FLUSHES) && packet.flushLevel != 0;
        if (found == null || (!whole && !found.holds(address, Integer.toUnsignedLong(left)))) {
            return Fault.ofAccess(packet);
        }
        if (packet.is(Opcode.WRITES_ATOMICALLY)) {
            if (left != Long.BYTES || packet.payload.length != Long.BYTES) {
                return Fault.LENGTH;
            }
        } else if (packet.is(Opcode.WRITES)) {
            int expected = Integer.compareUnsigned(left, owner.mtu) > 0 ? owner.mtu : left;
            if (packet.payload.length != expected) {
                return Fault.LENGTH;
            }
        }
        if (packet.is(Opcode.ATOMIC | Opcode.WRITES_ATOMICALLY) && (found.at(address) & (Long.BYTES - 1)) != 0) {
            return Fault.INVALID;
        }
        region = found;
        return Fault.NONE;
    }

    /// Returns the address that it goes on at.
    long address() {
        return address;
    }

    /// Returns the bytes that the whole message is about.
    int length() {
        return length;
    }

    /// Returns the key that it was begun with.
    int key() {
        return key;
    }

    /// Returns the region that the last check found; null if the request needs none.
    @Nullable
    Region region() {
        return region;
    }

    /// Leaves the region: the next packet looks for it anew.
    void leaveRegion() {
        region = null;
    }

    /// Writes one packet's payload.
    void write(byte[] payload) {
        if (payload.length > 0 && region != null) {
            Memory.write(payload, 0, region.target(address), payload.length);
        }
        address += payload.length;
        left -= payload.length;
    }

    /// Does an atomic or an atomic write, and keeps the former value of the memory for its answer.
    void change(Packet packet, Region target, Resource answer) {
        long where = target.at(address);
        if (packet.is(Opcode.WRITES_ATOMICALLY)) {
            Memory.write(packet.payload, 0, where, Long.BYTES);
            return;
        }
        long present = Memory.twoWords(where);
        answer.original = present;
        if (packet.opcode == Opcode.FETCH_ADD) {
            Memory.twoWords(where, present + packet.swapOrAdd);
        } else if (present == packet.compare) {
            Memory.twoWords(where, packet.swapOrAdd);
        }
    }
}
