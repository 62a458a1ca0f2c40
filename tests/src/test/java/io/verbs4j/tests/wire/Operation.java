// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.wire;

import io.verbs4j.types.QueuePairType;

/// The operations of verbs, with the codes of their packets: the lower five bits of the opcode (IBA vol. 1, table 38).
enum Operation {
    SEND(0x00, 0x01, 0x02, 0x04),
    SEND_WITH_IMMEDIATE(0x00, 0x01, 0x03, 0x05),
    SEND_WITH_INVALIDATE(0x00, 0x01, 0x16, 0x17),
    RDMA_WRITE(0x06, 0x07, 0x08, 0x0a),
    RDMA_WRITE_WITH_IMMEDIATE(0x06, 0x07, 0x09, 0x0b),
    RDMA_READ(0x0c),
    COMPARE_AND_SWAP(0x13),
    FETCH_AND_ADD(0x14),
    FLUSH(0x1c),
    ATOMIC_WRITE(0x1d);

    /// Codes of answers.
    static final int READ_RESPONSE_FIRST = 0x0d;
    static final int READ_RESPONSE_MIDDLE = 0x0e;
    static final int READ_RESPONSE_LAST = 0x0f;
    static final int READ_RESPONSE_ONLY = 0x10;
    static final int ACKNOWLEDGE = 0x11;
    static final int ATOMIC_ACKNOWLEDGE = 0x12;

    private final int first;
    private final int middle;
    private final int last;
    private final int only;

    Operation(int only) {
        this(only, only, only, only);
    }

    Operation(int first, int middle, int last, int only) {
        this.first = first;
        this.middle = middle;
        this.last = last;
        this.only = only;
    }

    /// The code of packet `index` of `count` in the direction of the request.
    int code(int index, int count) {
        if (count == 1) {
            return only;
        }
        return index == 0 ? first : index == count - 1 ? last : middle;
    }

    /// Returns whether a transport has it (IBA vol. 1, table 37; flush and atomic write: supplement A19).
    boolean isOf(QueuePairType transport) {
        if (transport == QueuePairType.RC) {
            return true;
        }
        return this == SEND || this == SEND_WITH_IMMEDIATE
                || (transport == QueuePairType.UC && (this == RDMA_WRITE || this == RDMA_WRITE_WITH_IMMEDIATE));
    }

    /// Returns whether its request carries the message.
    boolean carriesMessage() {
        return isSend() || isWrite() || this == ATOMIC_WRITE;
    }

    boolean isSend() {
        return this == SEND || this == SEND_WITH_IMMEDIATE || this == SEND_WITH_INVALIDATE;
    }

    boolean isWrite() {
        return this == RDMA_WRITE || this == RDMA_WRITE_WITH_IMMEDIATE;
    }

    boolean hasImmediate() {
        return this == SEND_WITH_IMMEDIATE || this == RDMA_WRITE_WITH_IMMEDIATE;
    }

    boolean isAtomic() {
        return this == COMPARE_AND_SWAP || this == FETCH_AND_ADD;
    }

    /// Returns whether the receiver's program notices: it takes a receive.
    boolean takesReceive() {
        return isSend() || this == RDMA_WRITE_WITH_IMMEDIATE;
    }
}
