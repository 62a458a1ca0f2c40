// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.cm;

import io.verbs4j.MemoryRegion;
import io.verbs4j.cm.RdmaConnection;
import io.verbs4j.types.Access;
import io.verbs4j.types.PrivateData;
import java.nio.ByteBuffer;

/// Private data of the rsockets protocol.
final class StreamGreetings {
    private static final int BYTES = 4096;
    private static final int RING_AT = 64;

    private StreamGreetings() {}

    /// Returns a true offer: a table of two entries and a ring, in memory that the connection's protection domain
    /// closes.
    static PrivateData of(RdmaConnection connection) {
        MemoryRegion memory =
                connection.protectionDomain().allocate(BYTES, Access.LOCAL_WRITE, Access.REMOTE_WRITE);
        ByteBuffer data = ByteBuffer.allocate(40);
        data.put((byte) 1).put((byte) 2).putShort((short) 8).putInt(0);
        data.putLong(memory.address()).putInt(memory.remoteKey()).putInt(2);
        data.putLong(memory.address() + RING_AT).putInt(memory.remoteKey()).putInt(BYTES - RING_AT);
        return PrivateData.of(data.array());
    }
}
