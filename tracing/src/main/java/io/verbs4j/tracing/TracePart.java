// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tracing;

import java.util.List;

/// A piece of memory that a call reads or writes.
///
/// @param title what it is, such as `CREATE_QP_CAP`, or `request`
/// @param struct the C struct that it holds; empty of a plain number
/// @param direction who reads it
/// @param address where it lies in the process; 0 of bytes that travel inside another part
/// @param bytes what it held: before the call if the kernel reads it, after the call if the kernel writes it
/// @param fields what the bytes are, in order, without gaps
@SuppressWarnings("ArrayRecordComponent") // parts are not compared, and there may be thousands
public record TracePart(
        String title, String struct, Direction direction, long address, byte[] bytes, List<TraceField> fields) {
    /// The readers of a part.
    public enum Direction {
        /// The kernel.
        TO_KERNEL,
        /// The program.
        FROM_KERNEL,
        /// Both: the kernel writes handles and flags into the arguments of an ioctl.
        BOTH
    }

    /// Copies the list.
    public TracePart {
        fields = List.copyOf(fields);
    }

    /// Bytes that belong to no field.
    public int unexplained() {
        var covered = new boolean[bytes.length];
        for (TraceField field : fields) {
            for (int i = field.offset(); i < field.offset() + field.size(); i++) {
                covered[i] = true;
            }
        }
        int count = 0;
        for (boolean one : covered) {
            count += one ? 0 : 1;
        }
        return count;
    }

    /// A part whose fields do not say what it is has one that is called so.
    static final String UNKNOWN = "(unknown)";

    /// Returns whether all bytes belong to fields that are known.
    public boolean isExplained() {
        return unexplained() == 0 && fields.stream().noneMatch(field -> field.path().equals(UNKNOWN));
    }
}
