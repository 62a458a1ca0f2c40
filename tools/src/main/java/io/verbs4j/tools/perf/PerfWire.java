// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.perf;

import java.io.IOException;
import java.nio.ByteBuffer;

/// Carries the messages of perftest's exchange, each in a single write. Timeouts are in milliseconds; 0 means no limit.
/// Not thread-safe.
interface PerfWire extends AutoCloseable {
    /// Sends a message.
    void write(byte[] message, int timeout) throws IOException;

    /// Receives a message of a length that both ends know. After a timeout, another call receives the rest.
    ///
    /// @throws java.io.EOFException if the peer has closed the connection
    /// @throws java.net.SocketTimeoutException after the timeout
    void read(ByteBuffer message, int timeout) throws IOException;

    /// Returns whether addresses are sent as structs, as over RDMA. Otherwise they are sent as text.
    boolean hasStructs();

    @Override
    void close() throws IOException;
}
