// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.rxe;

import static java.nio.ByteOrder.BIG_ENDIAN;
import static java.nio.ByteOrder.LITTLE_ENDIAN;

import java.nio.ByteBuffer;

/// An independent encoder of work queue elements. Its offsets were counted by hand from
/// include/uapi/rdma/rdma_user_rxe.h, not taken from the provider's layouts. It starts with the slot's previous
/// contents and sets the fields that a post must write. Therefore comparing all bytes of a slot also detects bytes that
/// should not have changed.
final class Wqe {
    private final ByteBuffer bytes;

    private Wqe(byte[] before) {
        bytes = ByteBuffer.wrap(before.clone()).order(LITTLE_ENDIAN);
    }

    /// Returns an encoder of these bytes, to continue with.
    static Wqe of(byte[] bytes) {
        return new Wqe(bytes);
    }

    /// Returns a send WQE with all fields that the kernel reads for any opcode: the cursor at its start, no progress.
    static Wqe send(byte[] before, int opcode, long workRequestId, int flags) {
        return new Wqe(before)
                .u64(0, workRequestId)
                .u32(12, opcode)
                .u32(16, flags)
                .u32(20, 0) // ex
                .u32(144, 0) // status
                .u32(148, 0) // state
                .u64(152, 0) // iova
                .u32(180, 0) // has_rd_atomic
                .u32(184, 0) // dma.length
                .u32(188, 0) // dma.resid
                .u32(192, 0) // dma.cur_sge
                .u32(196, 0) // dma.num_sge
                .u32(200, 0); // dma.sge_offset
    }

    /// A receive WQE without buffers.
    static Wqe receive(byte[] before, long workRequestId) {
        Wqe wqe = new Wqe(before).u64(0, workRequestId);
        for (int offset = 8; offset < 40; offset += 4) {
            wqe.u32(offset, 0);
        }
        return wqe;
    }

    Wqe immediate(int value) {
        bytes.order(BIG_ENDIAN).putInt(20, value).order(LITTLE_ENDIAN);
        return this;
    }

    Wqe invalidate(int key) {
        return u32(20, key);
    }

    Wqe remote(long address, int key) {
        return u64(24, address).u32(32, key).u64(152, address);
    }

    Wqe atomic(long address, int key, long compareOrAdd, long swap) {
        return u64(24, address).u64(32, compareOrAdd).u64(40, swap).u32(48, key).u64(152, address);
    }

    Wqe datagram(int queuePair, int qkey, int addressHandle) {
        return u32(24, queuePair).u32(28, qkey).u32(36, addressHandle);
    }

    Wqe flush(long address, int length, int key, int type, int level) {
        u64(24, address).u32(36, key).u64(152, address).u32(184, length).u32(188, length);
        bytes.put(40, (byte) type).put(41, (byte) level);
        return this;
    }

    Wqe window(long address, long length, int regionKey, int currentKey, int newKey, int access) {
        return u64(24, address)
                .u64(32, length)
                .u32(40, regionKey)
                .u32(44, currentKey)
                .u32(48, newKey)
                .u32(52, access);
    }

    /// Appends a scatter/gather element to a send WQE.
    Wqe sendElement(long address, int length, int key) {
        return element(184, 208, address, length, key);
    }

    /// Appends a scatter/gather element to a receive WQE.
    Wqe receiveElement(long address, int length, int key) {
        return element(16, 40, address, length, key);
    }

    private Wqe element(int dma, int elements, long address, int length, int key) {
        int total = bytes.getInt(dma) + length;
        int count = bytes.getInt(dma + 12);
        int at = elements + 16 * count;
        return u32(dma, total)
                .u32(dma + 4, total)
                .u32(dma + 12, count + 1)
                .u64(at, address)
                .u32(at + 8, length)
                .u32(at + 12, key);
    }

    /// Sets the inline payload; the caller sets the flag.
    Wqe inline(byte[] payload) {
        bytes.put(208, payload);
        return u32(184, payload.length).u32(188, payload.length);
    }

    /// The bytes of the whole slot.
    byte[] bytes() {
        return bytes.array();
    }

    private Wqe u32(int offset, int value) {
        bytes.putInt(offset, value);
        return this;
    }

    private Wqe u64(int offset, long value) {
        bytes.putLong(offset, value);
        return this;
    }
}
