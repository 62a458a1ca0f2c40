// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.cm;

import io.verbs4j.abi.device.DeviceFile;
import io.verbs4j.abi.uapi.CView;
import io.verbs4j.types.ConnectionGids;
import io.verbs4j.types.Gid;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Queries the GIDs of an identifier, by another form of the command of [QueryAddresses].
public final class QueryGids {
    /// `RDMA_USER_CM_QUERY_GID`: the option for GIDs.
    public static final int GIDS = 2;
    /// Offset of the GID in `struct sockaddr_ib` (include/rdma/ib.h), after family, P_Key and flow label.
    public static final int GID_OFFSET = 8;

    private QueryGids() {}

    /// Queries the GIDs.
    public static ConnectionGids execute(DeviceFile file, int id) {
        try (Arena arena = Arena.ofConfined()) {
            CView answer = CmCommand.of(arena, QueryAddresses.SPECIFICATION)
                    .set("id", id)
                    .set("option", GIDS)
                    .send(file)
                    .answer();
            return new ConnectionGids(gid(answer.slice("src_addr")), gid(answer.slice("dst_addr")));
        }
    }

    private static Gid gid(MemorySegment address) {
        return Gid.of(address.asSlice(GID_OFFSET, Gid.BYTES).toArray(ValueLayout.JAVA_BYTE));
    }
}
