// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm.stream;

import io.verbs4j.cm.ConnectionOptions;
import io.verbs4j.cm.RdmaConnection;
import io.verbs4j.types.NodeType;
import io.verbs4j.types.PrivateData;
import io.verbs4j.types.ScatterGatherList;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// Prepares one end of a stream before the peer may send: allocates memory, posts receives, and creates the greeting.
final class StreamSetup implements AutoCloseable {
    private final StreamOptions options;
    private final ScatterGatherList nothing = new ScatterGatherList();
    private @Nullable StreamMemory memory;

    StreamSetup(StreamOptions options) {
        this.options = options;
    }

    /// Returns the options that create the connection. Disconnecting does not wait for outstanding sends, because the
    /// stream has already done so.
    ConnectionOptions connectionOptions() {
        ConnectionOptions made = ConnectionOptions.defaults()
                .withTimeout(options.connectTimeout())
                .withDrain(Duration.ZERO)
                .withReadAtomic(0)
                .withQueues(workRequests(options), workRequests(options))
                .withIwarpSends(2 * workRequests(options))
                .withPrivateDataOf(this::prepare);
        InetSocketAddress source = options.source();
        if (source != null) {
            made = made.withSource(source);
        }
        StreamGroup group = options.group();
        return group == null ? made : made.withGroup(group.connections());
    }

    /// Returns the depth of each queue: work requests for data, credits and control messages.
    static int workRequests(StreamOptions options) {
        return options.messages() + StreamMemory.CONTROLS;
    }

    /// Returns whether the connection's device uses iWARP.
    static boolean isIwarp(RdmaConnection connection) {
        return connection.context().device().nodeType().equals(NodeType.RNIC);
    }

    private PrivateData prepare(RdmaConnection connection) {
        close(); // frees the memory of an earlier queue pair, whose number the peer has not forgotten
        int receives = workRequests(options);
        boolean iwarp = isIwarp(connection);
        StreamMemory made = StreamMemory.allocate(connection.protectionDomain(), options, iwarp ? receives : 0);
        memory = made;
        if (iwarp) {
            IwarpOutbox.postReceives(connection.queuePair(), made, receives);
        } else {
            QueuePairOutbox.postReceives(connection.queuePair(), nothing, receives);
        }
        return made.greeting(options.messages()).encode();
    }

    /// Returns the memory of the established connection.
    StreamMemory memory() {
        if (memory == null) {
            throw new IllegalStateException("no connection was prepared");
        }
        return memory;
    }

    /// Frees the memory if connecting failed.
    @Override
    public void close() {
        if (memory != null) {
            memory.close();
            memory = null;
        }
    }
}
