// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.siw;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.invoke.VarHandle;

/// Offsets in siw's elements, derived from [SiwStructs], and accesses to them. The size of each element is a multiple
/// of 8 bytes, so adjacent fields are written as one word of 8 bytes. The second word of a work request contains the
/// flags, the number of buffers, the opcode and, in a send, the key.
final class Elements {
    static final VarHandle WORD = JAVA_LONG.varHandle().withInvokeExactBehavior();
    static final VarHandle HALF = JAVA_INT.varHandle().withInvokeExactBehavior();
    static final VarHandle FLAGS = JAVA_SHORT.varHandle().withInvokeExactBehavior();
    static final VarHandle BYTE = JAVA_BYTE.varHandle().withInvokeExactBehavior();

    /// The element belongs to its consumer: the kernel or, in a completion ring, the program.
    static final int VALID = 1;

    /// Bits of a send's flags.
    static final int INLINE = 1 << 1;

    static final int SIGNALLED = 1 << 2;

    /// In a completion: the peer invalidated a key.
    static final int REM_INVAL = 1 << 5;

    /// siw's opcode of a receive's completion.
    static final int RECEIVE = 8;

    // Work requests; the same in sends and receives.
    static final long ID = SiwStructs.SQE.offset("id");
    static final long HEAD = SiwStructs.SQE.offset("flags");
    static final int NUM_SGE_SHIFT = shift("num_sge");
    static final int OPCODE_SHIFT = shift("opcode");
    static final int RKEY_SHIFT = shift("rkey");
    static final long RADDR = SiwStructs.SQE.offset("raddr");
    static final long SEND_SGE = SiwStructs.SQE.offset("sge");
    static final long RECEIVE_SGE = SiwStructs.RQE.offset("sge");
    static final long SEND_BYTES = SiwStructs.SQE.size();
    static final long RECEIVE_BYTES = SiwStructs.RQE.size();

    // Buffers.
    static final long SGE_BYTES = SiwStructs.SGE.size();
    static final long LADDR = SiwStructs.SGE.offset("laddr");
    static final long LENGTH_AND_KEY = SiwStructs.SGE.offset("length");
    static final int LKEY_SHIFT = 8 * (int) (SiwStructs.SGE.offset("lkey") - LENGTH_AND_KEY);

    /// Offset of inline data, which replaces all buffers except the first.
    static final long INLINE_DATA = SEND_SGE + SGE_BYTES;

    /// Maximum number of inline bytes (`SIW_MAX_INLINE`).
    static final int MAX_INLINE = (int) (SEND_BYTES - INLINE_DATA);

    // Completions.
    static final long COMPLETION_BYTES = SiwStructs.CQE.size();
    static final long COMPLETION_HEAD = SiwStructs.CQE.offset("flags");
    static final int COMPLETION_OPCODE_SHIFT = completionShift("opcode");
    static final int STATUS_SHIFT = completionShift("status");
    static final int BYTES_SHIFT = completionShift("bytes");
    static final long INVALIDATED_KEY = SiwStructs.CQE.offset("inval_stag");
    static final long QUEUE_PAIR = SiwStructs.CQE.offset("qp_id");

    private Elements() {}

    private static int shift(String field) {
        return 8 * (int) (SiwStructs.SQE.offset(field) - HEAD);
    }

    private static int completionShift(String field) {
        return 8 * (int) (SiwStructs.CQE.offset(field) - COMPLETION_HEAD);
    }

    /// Returns the second word of an element that is not yet valid.
    static long head(int flags, int buffers, int opcode, int key) {
        return flags | ((long) buffers << NUM_SGE_SHIFT) | ((long) opcode << OPCODE_SHIFT) | ((long) key << RKEY_SHIFT);
    }

    /// Returns the second word of a buffer.
    static long lengthAndKey(int length, int lkey) {
        return Integer.toUnsignedLong(length) | ((long) lkey << LKEY_SHIFT);
    }
}
