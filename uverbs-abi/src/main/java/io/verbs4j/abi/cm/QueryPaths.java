// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.cm;

import io.verbs4j.abi.device.DeviceFile;
import io.verbs4j.abi.uapi.IbPathRecData;
import io.verbs4j.abi.uapi.RdmaUcmQueryPathResp;
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
    /// `RDMA_USER_CM_QUERY_PATH`: the option for paths.
    public static final int PATHS = 1;
    private static final int MAX_PATHS = 6;

    private QueryPaths() {}

    /// Queries the paths.
    public static List<ConnectionPath> execute(DeviceFile file, int id) {
        try (Arena arena = Arena.ofConfined()) {
            int head = RdmaUcmQueryPathResp.STRUCT.size();
            int each = IbPathRecData.STRUCT.size();
            MemorySegment answer = CmCommand.of(arena, QueryAddresses.SPECIFICATION, head + (long) MAX_PATHS * each)
                    .set("id", id)
                    .set("option", PATHS)
                    .send(file)
                    .answerBytes();
            int count = Math.min(RdmaUcmQueryPathResp.STRUCT.view(answer).getInt("num_paths"), MAX_PATHS);
            var paths = new ArrayList<ConnectionPath>();
            for (int i = 0; i < count; i++) {
                MemorySegment path = answer.asSlice(head + (long) i * each, each);
                paths.add(new ConnectionPath(
                        IbPathRecData.STRUCT.view(path).getInt("flags"),
                        IbPathRecData.STRUCT.view(path).slice("path_rec").toArray(ValueLayout.JAVA_BYTE)));
            }
            return List.copyOf(paths);
        }
    }
}
