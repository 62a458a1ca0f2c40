// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.context;

import io.verbs4j.abi.command.CommandChannel;
import io.verbs4j.abi.command.CommandSpecification;
import io.verbs4j.abi.command.IoctlCommand;
import io.verbs4j.abi.sysfs.SysfsGidTable;
import io.verbs4j.abi.uapi.IbUverbsGidEntry;
import io.verbs4j.abi.uapi.UverbsAttribute;
import io.verbs4j.abi.uapi.UverbsMethod;
import io.verbs4j.abi.uapi.UverbsObject;
import io.verbs4j.types.Errno;
import io.verbs4j.types.GidEntry;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// Queries one entry of a port's GID table, by `UVERBS_METHOD_QUERY_GID_ENTRY`. There is no write command for it:
/// without the method, the entry is read from sysfs. An empty slot is an error, `ENODATA`.
///
/// @see "ibv_query_gid_ex(3)"
public final class QueryGidEntry {
    /// One entry of a GID table.
    public static final UverbsMethod METHOD = UverbsMethod.of(UverbsObject.DEVICE, 6, "QUERY_GID_ENTRY");
    /// Constant: the port, from 1.
    public static final UverbsAttribute QUERY_GID_ENTRY_PORT = METHOD.constant(0, "QUERY_GID_ENTRY_PORT");
    /// Constant: index in the port's table.
    public static final UverbsAttribute QUERY_GID_ENTRY_GID_INDEX = METHOD.constant(1, "QUERY_GID_ENTRY_GID_INDEX");
    /// In, u32: no flags are defined, but the argument is mandatory.
    public static final UverbsAttribute QUERY_GID_ENTRY_FLAGS = METHOD.in(2, "QUERY_GID_ENTRY_FLAGS");
    /// Out: [IbUverbsGidEntry].
    public static final UverbsAttribute QUERY_GID_ENTRY_RESP_ENTRY =
            METHOD.out(3, "QUERY_GID_ENTRY_RESP_ENTRY", IbUverbsGidEntry.STRUCT);
    /// Describes the command.
    public static final CommandSpecification SPECIFICATION = CommandSpecification.of("query GID entry")
            .method(METHOD, "5.10")
            .cause(Errno.ENODATA,
                    "this slot of the GID table is empty; the kernel fills one slot for each IP address of the"
                            + " interface")
            .cause(Errno.EINVAL, "there is no such port, or the index exceeds the table");

    private QueryGidEntry() {}

    /// Queries an entry.
    ///
    /// @param port from 1
    /// @param index position in the port's table
    public static GidEntry execute(CommandChannel channel, int port, int index) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment entry = IbUverbsGidEntry.STRUCT.allocate(arena);
            int result = IoctlCommand.of(arena, SPECIFICATION)
                    .constant(QUERY_GID_ENTRY_PORT, port)
                    .constant(QUERY_GID_ENTRY_GID_INDEX, index)
                    .in32(QUERY_GID_ENTRY_FLAGS, 0)
                    .out(QUERY_GID_ENTRY_RESP_ENTRY, entry)
                    .execute(channel);
            if (IoctlCommand.isMissing(result)) {
                return SysfsGidTable.of(channel.deviceName()).entry(port, index);
            }
            SPECIFICATION.check(result);
            return IbUverbsGidEntry.read(entry);
        }
    }
}
