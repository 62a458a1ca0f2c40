// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tracing;

import java.util.List;

/// Memory that a call reads or writes.
///
/// @param title its title, such as `CREATE_QP_CAP`, or `request`
/// @param struct its C struct; empty for a plain number
/// @param direction the readers of the memory
/// @param address its address in the process; 0 if it is inside another part
/// @param bytes the contents: before the call if the kernel reads the memory, after the call if the kernel writes it
/// @param fields the fields in order, without gaps
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

    /// Returns the number of bytes that belong to no field.
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

    /// Name of the field for undescribed bytes.
    static final String UNKNOWN = "(unknown)";

    /// Returns whether all bytes belong to described fields.
    public boolean isExplained() {
        return unexplained() == 0 && fields.stream().noneMatch(field -> field.path().equals(UNKNOWN));
    }
}
