// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.context;

import io.verbs4j.abi.command.CommandChannel;
import io.verbs4j.abi.command.CommandSpecification;
import io.verbs4j.abi.command.IoctlCommand;
import io.verbs4j.abi.failure.KernelErrors;
import io.verbs4j.abi.sysfs.SysfsGidTable;
import io.verbs4j.abi.uapi.IbUverbsGidEntry;
import io.verbs4j.abi.uapi.UverbsAttribute;
import io.verbs4j.abi.uapi.UverbsMethod;
import io.verbs4j.abi.uapi.UverbsObject;
import io.verbs4j.types.Errno;
import io.verbs4j.types.GidEntry;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/// Queries the valid entries of the GID tables of all ports, by `UVERBS_METHOD_QUERY_GID_TABLE`. There is no write
/// command for it: without the method, the entries are read from sysfs.
///
/// @see "ibv_query_gid_table(3)"
public final class QueryGidTable {
    /// All valid entries of all GID tables.
    public static final UverbsMethod METHOD = UverbsMethod.of(UverbsObject.DEVICE, 5, "QUERY_GID_TABLE");
    /// Constant: bytes of an entry.
    public static final UverbsAttribute QUERY_GID_TABLE_ENTRY_SIZE = METHOD.constant(0, "QUERY_GID_TABLE_ENTRY_SIZE");
    /// In, u32: no flags are defined.
    public static final UverbsAttribute QUERY_GID_TABLE_FLAGS = METHOD.in(1, "QUERY_GID_TABLE_FLAGS");
    /// Out: array of [IbUverbsGidEntry].
    public static final UverbsAttribute QUERY_GID_TABLE_RESP_ENTRIES =
            METHOD.outArray(2, "QUERY_GID_TABLE_RESP_ENTRIES", IbUverbsGidEntry.STRUCT);
    /// Out, u64: number of written entries.
    public static final UverbsAttribute QUERY_GID_TABLE_RESP_NUM_ENTRIES =
            METHOD.out(3, "QUERY_GID_TABLE_RESP_NUM_ENTRIES");
    /// Describes the command.
    public static final CommandSpecification SPECIFICATION = CommandSpecification.of("query GID table")
            .method(METHOD, "5.10")
            .cause(Errno.EINVAL, "the table has more valid entries than the buffer has room for");

    /// An argument's length has 16 bits.
    private static final int MAX_ENTRIES = 0xffff / IbUverbsGidEntry.STRUCT.size();

    private QueryGidTable() {}

    /// Queries the entries.
    ///
    /// @param maxEntries maximum number of entries: the sum of the ports' table lengths; the kernel refuses if there
    ///     are more
    public static List<GidEntry> execute(CommandChannel channel, int maxEntries) {
        try (Arena arena = Arena.ofConfined()) {
            int room = Math.clamp(maxEntries, 1, MAX_ENTRIES);
            MemorySegment entries = arena.allocate(IbUverbsGidEntry.STRUCT.layout(), room);
            MemorySegment count = arena.allocate(ValueLayout.JAVA_LONG);
            int result = IoctlCommand.of(arena, SPECIFICATION)
                    .constant(QUERY_GID_TABLE_ENTRY_SIZE, IbUverbsGidEntry.STRUCT.size())
                    .in32(QUERY_GID_TABLE_FLAGS, 0)
                    .out(QUERY_GID_TABLE_RESP_ENTRIES, entries)
                    .out(QUERY_GID_TABLE_RESP_NUM_ENTRIES, count)
                    .execute(channel);
            if (IoctlCommand.isMissing(result)) {
                return SysfsGidTable.of(channel.deviceName()).entries();
            }
            SPECIFICATION.check(result);
            long valid = count.get(ValueLayout.JAVA_LONG, 0);
            if (valid < 0 || valid > room) {
                throw KernelErrors.failure(
                        SPECIFICATION, Errno.EPROTO,
                        "room for " + room + " entries, but the kernel wrote " + valid);
            }
            return read(entries, valid);
        }
    }

    private static List<GidEntry> read(MemorySegment entries, long count) {
        var list = new ArrayList<GidEntry>();
        for (long i = 0; i < count; i++) {
            list.add(IbUverbsGidEntry.read(entries.asSlice(i * IbUverbsGidEntry.STRUCT.size())));
        }
        return List.copyOf(list);
    }
}
