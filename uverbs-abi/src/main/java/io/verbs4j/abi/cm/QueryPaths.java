// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.cm;

import static io.verbs4j.abi.uapi.CStruct.array;
import static io.verbs4j.abi.uapi.CStruct.u32;

import io.verbs4j.abi.device.DeviceFile;
import io.verbs4j.abi.uapi.CStruct;
import io.verbs4j.abi.uapi.UapiHeader;
import io.verbs4j.types.ConnectionPath;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/// Queries the paths of an identifier with a resolved route, by another form of the command of [QueryAddresses].
///
/// @see <a href="https://man7.org/linux/man-pages/man3/rdma_resolve_route.3.html">rdma_resolve_route(3)</a>
public final class QueryPaths {
    /// `struct ib_path_rec_data`.
    public static final CStruct RECORD = CStruct.of(
            UapiHeader.IB_USER_SA,
            "ib_path_rec_data",
            u32("flags", "IB_PATH_*"),
            u32("reserved"),
            array("path_rec", 16, ValueLayout.JAVA_INT).means("the record"));
    /// `struct rdma_ucm_query_path_resp`.
    public static final CStruct RESPONSE = CStruct.of(
            UapiHeader.RDMA_USER_CM,
            "rdma_ucm_query_path_resp",
            u32("num_paths"),
            u32("reserved"),
            array("path_data", 0, RECORD.layout()));

    /// `RDMA_USER_CM_QUERY_PATH`: the option for paths.
    public static final int PATHS = 1;
    private static final int MAX_PATHS = 6;

    private QueryPaths() {}

    /// Queries the paths.
    public static List<ConnectionPath> execute(DeviceFile file, int id) {
        try (Arena arena = Arena.ofConfined()) {
            int head = RESPONSE.size();
            int each = RECORD.size();
            MemorySegment answer = CmCommand.of(arena, QueryAddresses.SPECIFICATION, head + (long) MAX_PATHS * each)
                    .set("id", id)
                    .set("option", PATHS)
                    .send(file)
                    .answerBytes();
            int count = Math.min(RESPONSE.view(answer).getInt("num_paths"), MAX_PATHS);
            var paths = new ArrayList<ConnectionPath>();
            for (int i = 0; i < count; i++) {
                MemorySegment path = answer.asSlice(head + (long) i * each, each);
                paths.add(new ConnectionPath(
                        RECORD.view(path).getInt("flags"),
                        RECORD.view(path).slice("path_rec").toArray(ValueLayout.JAVA_BYTE)));
            }
            return List.copyOf(paths);
        }
    }
}
