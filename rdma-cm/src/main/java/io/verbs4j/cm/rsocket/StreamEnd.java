// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm.rsocket;

import io.verbs4j.LocalMemory;
import io.verbs4j.QueuePair;
import io.verbs4j.ReceiveBatch;
import io.verbs4j.cm.ConnectionOptions;
import io.verbs4j.cm.RdmaConnection;
import io.verbs4j.types.Errno;
import io.verbs4j.types.NodeType;
import io.verbs4j.types.PrivateData;
import io.verbs4j.types.VerbsException;
import org.jspecify.annotations.Nullable;

/// One end of a stream while its connection is made: the memory, and the receives that must be posted before the peer may write.
final class StreamEnd implements AutoCloseable {
    /// Receives for the data that credits allow, and for control messages, which need none.
    static final int RECEIVES = StreamMemory.CREDITS + 2 * StreamMemory.CONTROL_SLOTS;

    private static final LocalMemory[] NOTHING = {};

    private final RdmaSocketOptions options;
    private @Nullable StreamMemory memory;

    StreamEnd(RdmaSocketOptions options) {
        this.options = options;
    }

    /// Returns the options of the connection.
    ConnectionOptions connection() {
        return options.connection()
                .withQueues(OutgoingRing.DATA_SLOTS + StreamMemory.CONTROL_SLOTS, RECEIVES)
                .withPreparation(this::prepare)
                .withPrivateData(this::offer);
    }

    private void prepare(RdmaConnection connection) {
        if (connection.context().device().nodeType().equals(NodeType.RNIC)) {
            throw new VerbsException(
                    "make stream", Errno.EOPNOTSUPP,
                    "over iWARP, rsockets are not supported: use RdmaConnection there");
        }
        close(); // that of an attempt whose queue pair number the peer still remembered
        memory = new StreamMemory(connection.protectionDomain(), options.sendBytes(), options.receiveBytes());
        receive(connection.queuePair(), RECEIVES);
    }

    /// Posts receives, which take no data: that is written.
    static void receive(QueuePair pair, int count) {
        if (count == 0) {
            return;
        }
        try (ReceiveBatch batch = pair.beginReceive()) {
            for (int i = 0; i < count; i++) {
                batch.receive(NOTHING);
            }
            batch.submit();
        }
    }

    private PrivateData offer() {
        return memory().offer();
    }

    StreamMemory memory() {
        StreamMemory prepared = memory;
        if (prepared == null) {
            throw new IllegalStateException("the connection is not prepared");
        }
        return prepared;
    }

    @Override
    public void close() {
        StreamMemory prepared = memory;
        memory = null;
        if (prepared != null) {
            prepared.close();
        }
    }
}
