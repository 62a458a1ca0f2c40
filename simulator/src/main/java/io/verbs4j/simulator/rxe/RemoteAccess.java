// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.simulator.rxe;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/// The peer's current access to local memory: its position and the number of remaining bytes.
final class RemoteAccess {
    private static final VarHandle WORD =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());

    private final QueuePair owner;
    private final RequestChecks checks;
    private long address;
    private int left;
    private int length;
    private int key;
    private @Nullable Region region;
    private final byte[] word = new byte[Long.BYTES];
    private long original;

    RemoteAccess(QueuePair owner, RequestChecks checks) {
        this.owner = owner;
        this.checks = checks;
    }

    /// Begins or continues the access of a request, if its key permits it.
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

    /// Returns the address of the next byte.
    long address() {
        return address;
    }

    /// Returns the length of the whole message.
    int length() {
        return length;
    }

    /// Returns the key of the access.
    int key() {
        return key;
    }

    /// Returns the region that the last check found; null if the request needs none.
    @Nullable
    Region region() {
        return region;
    }

    /// Forgets the region, so that the next packet looks it up again.
    void leaveRegion() {
        region = null;
    }

    /// Writes one packet's payload.
    ///
    /// @return false if the memory is gone
    boolean write(byte[] payload) {
        if (payload.length > 0 && region != null && !region.write(payload, 0, address, payload.length)) {
            return false;
        }
        address += payload.length;
        left -= payload.length;
        return true;
    }

    /// Executes an atomic or an atomic write.
    ///
    /// @return false if the memory is gone
    boolean change(Packet packet, Region target) {
        original = 0;
        if (packet.is(Opcode.WRITES_ATOMICALLY)) {
            return target.writeExactly(packet.payload, 0, address, Long.BYTES);
        }
        if (!target.read(address, word, 0, Long.BYTES)) {
            return false;
        }
        original = (long) WORD.get(word, 0);
        if (packet.opcode == Opcode.FETCH_ADD) {
            WORD.set(word, 0, original + packet.swapOrAdd);
        } else if (original == packet.compare) {
            WORD.set(word, 0, packet.swapOrAdd);
        } else {
            return true;
        }
        return target.writeExactly(word, 0, address, Long.BYTES);
    }

    /// Returns the memory's value before the last atomic, for the response.
    long original() {
        return original;
    }
}
