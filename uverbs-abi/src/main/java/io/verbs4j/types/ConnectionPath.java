// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.types;

import java.util.Arrays;

/// A path of a connection, in the form of InfiniBand's subnet administration (`ib_path_rec_data`,
/// include/uapi/rdma/ib_user_sa.h; IBA vol. 1, 15.2.5.16): 64 bytes in network order.
public final class ConnectionPath {
    private static final int DESTINATION_GID = 8;
    private static final int SOURCE_GID = 24;

    private final int flags;
    private final byte[] record;

    /// Copies a path record.
    ///
    /// @param flags bits `IB_PATH_*`
    /// @param record 64 bytes
    public ConnectionPath(int flags, byte[] record) {
        this.flags = flags;
        this.record = record.clone();
    }

    /// Returns the flags that describe the use of the path: bits `IB_PATH_*`.
    public int flags() {
        return flags;
    }

    /// Returns the peer's GID.
    public Gid destination() {
        return gid(DESTINATION_GID);
    }

    /// Returns the local GID.
    public Gid source() {
        return gid(SOURCE_GID);
    }

    private Gid gid(int offset) {
        return Gid.of(Arrays.copyOfRange(record, offset, offset + Gid.BYTES));
    }

    /// Returns a copy of the record's 64 bytes.
    public byte[] bytes() {
        return record.clone();
    }

    @Override
    public String toString() {
        return source() + " → " + destination();
    }
}
