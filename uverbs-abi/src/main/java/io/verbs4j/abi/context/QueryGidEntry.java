// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.context;

import io.verbs4j.abi.command.CommandChannel;
import io.verbs4j.abi.command.IoctlCommand;
import io.verbs4j.abi.command.KernelErrors;
import io.verbs4j.abi.command.Verb;
import io.verbs4j.abi.sysfs.SysfsGidTable;
import io.verbs4j.abi.uapi.IbUverbsGidEntry;
import io.verbs4j.abi.uapi.UverbsAttribute;
import io.verbs4j.abi.uapi.UverbsMethod;
import io.verbs4j.types.GidEntry;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// Asks for one entry of a port's GID table: by `UVERBS_METHOD_QUERY_GID_ENTRY`; no write command can, and without the method
/// the entry is read from sysfs. An empty slot is an error, `ENODATA`.
///
/// @see "ibv_query_gid_ex(3)"
public final class QueryGidEntry {
    private QueryGidEntry() {}

    /// Asks.
    ///
    /// @param port from 1
    /// @param index position in the port's table
    public static GidEntry execute(CommandChannel channel, int port, int index) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment entry = IbUverbsGidEntry.STRUCT.allocate(arena);
            int result = IoctlCommand.of(arena, UverbsMethod.QUERY_GID_ENTRY)
                    .constant(UverbsAttribute.QUERY_GID_ENTRY_PORT, port)
                    .constant(UverbsAttribute.QUERY_GID_ENTRY_GID_INDEX, index)
                    .in32(UverbsAttribute.QUERY_GID_ENTRY_FLAGS, 0)
                    .out(UverbsAttribute.QUERY_GID_ENTRY_RESP_ENTRY, entry)
                    .execute(channel);
            if (IoctlCommand.isMissing(result)) {
                return SysfsGidTable.of(channel.deviceName()).entry(port, index);
            }
            KernelErrors.check(Verb.QUERY_GID_ENTRY, result);
            return IbUverbsGidEntry.read(entry);
        }
    }
}
