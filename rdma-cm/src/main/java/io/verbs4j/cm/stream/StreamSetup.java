// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm.stream;

import io.verbs4j.abi.failure.KernelErrors;
import io.verbs4j.cm.ConnectionOptions;
import io.verbs4j.cm.RdmaConnection;
import io.verbs4j.types.Errno;
import io.verbs4j.types.NodeType;
import io.verbs4j.types.PrivateData;
import io.verbs4j.types.ScatterGatherList;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/// Makes one end of a stream ready before the peer may send: memory, receives, and what the peer has to know.
final class StreamSetup implements AutoCloseable {
    /// Messages of data that either end may send before the other has read any, as many as in C.
    static final int QUEUE = 384;

    /// Marks the completions of receives.
    static final long RECEIVE = 1L << 62;

    /// Receives for the peer's credits and ends of stream, besides those for data.
    private static final int RECEIVES = QUEUE + StreamMemory.CONTROLS;

    private final StreamOptions options;
    private final ScatterGatherList nothing = new ScatterGatherList();
    private @Nullable StreamMemory memory;

    StreamSetup(StreamOptions options) {
        this.options = options;
    }

    /// Returns how to make the connection.
    ConnectionOptions connectionOptions() {
        ConnectionOptions made = ConnectionOptions.defaults()
                .withTimeout(options.connectTimeout())
                .withDrain(options.drain())
                .withReadAtomic(0)
                .withQueues(QUEUE + StreamMemory.CONTROLS, RECEIVES)
                .withPrivateDataOf(this::prepare);
        InetSocketAddress source = options.source();
        return source == null ? made : made.withSource(source);
    }

    private PrivateData prepare(RdmaConnection connection) {
        if (connection.context().device().nodeType().equals(NodeType.RNIC)) {
            throw KernelErrors.failure(
                    "prepare stream",
                    Errno.EOPNOTSUPP,
                    "iWARP has no RDMA writes with immediate data; connect over InfiniBand or RoCE");
        }
        close(); // of a queue pair whose number the peer still remembers
        var made = new StreamMemory(connection.protectionDomain(), options);
        memory = made;
        try (var batch = connection.queuePair().beginReceive()) {
            for (int i = 0; i < RECEIVES; i++) {
                batch.workRequestId(RECEIVE).receive(nothing);
            }
            batch.submit();
        }
        return made.greeting(QUEUE, options.receiveBytes() / 2).encode();
    }

    /// Returns the memory of the connection that was made.
    StreamMemory memory() {
        if (memory == null) {
            throw new IllegalStateException("no connection was prepared");
        }
        return memory;
    }

    /// Frees the memory of a connection that did not come about.
    @Override
    public void close() {
        if (memory != null) {
            memory.close();
            memory = null;
        }
    }
}
