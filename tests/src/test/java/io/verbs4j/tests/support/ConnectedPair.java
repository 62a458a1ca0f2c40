// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.support;

import io.verbs4j.CompletionQueueOptions;
import io.verbs4j.QueuePairBuilder;
import io.verbs4j.cm.RdmaConnection;
import io.verbs4j.cm.RdmaServer;
import io.verbs4j.types.Access;
import io.verbs4j.types.QueuePairType;
import java.net.InetSocketAddress;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.UnaryOperator;

/// Two connected queue pairs, each with its own context, completion queue and memory. They are reliably connected by
/// default.
///
/// ```java
/// try (var pair = ConnectedPair.onTheWire().connect()) {
///     pair.right().receive(1, 0, 64);
///     pair.left().post(batch -> batch.signaled().send().local(pair.left().memory(), 0, 64).post());
///     pair.left().completions().nextSuccess();
/// }
/// ```
public final class ConnectedPair implements AutoCloseable {
    /// Q_Key of datagrams: that of [QueuePairBuilder#qkey(int)].
    public static final int QKEY = 0x11111111;

    private final End left;
    private final End right;

    private ConnectedPair(End left, End right) {
        this.left = left;
        this.right = right;
    }

    /// The two ends of the [Wire].
    public static Builder onTheWire() {
        return new Builder(Wire.left(), Wire.right());
    }

    /// Both ends on rxe0, whose packets take a short cut within the driver. Over siw, which has none, on the wire.
    public static Builder onOneDevice() {
        return Wire.isSiw() ? onTheWire() : new Builder(Rxe.LEFT, Rxe.LEFT);
    }

    /// One end.
    public End left() {
        return left;
    }

    /// The other end.
    public End right() {
        return right;
    }

    @Override
    public void close() {
        try (
                End _ = left;
                End _ = right) {
            // Both are closed, also if one of them fails.
        }
    }

    /// Builds the two ends.
    public static final class Builder {
        private final String leftDevice;
        private final String rightDevice;
        private QueuePairType type = QueuePairType.RC;
        private long memory = 64 * 1024;
        private Access[] access;
        private boolean channels;
        private UnaryOperator<CompletionQueueOptions> queues = UnaryOperator.identity();
        private UnaryOperator<QueuePairBuilder> leftQueuePair = UnaryOperator.identity();
        private UnaryOperator<QueuePairBuilder> rightQueuePair = UnaryOperator.identity();

        private Builder(String leftDevice, String rightDevice) {
            this.leftDevice = leftDevice;
            this.rightDevice = rightDevice;
            this.access = leftDevice.equals(Siw.LEFT)
                    ? new Access[]{Access.LOCAL_WRITE, Access.REMOTE_READ, Access.REMOTE_WRITE}
                    : new Access[]{
                            Access.LOCAL_WRITE, Access.REMOTE_READ, Access.REMOTE_WRITE, Access.REMOTE_ATOMIC
                    };
        }

        /// Another transport than RC. Datagram queue pairs are not connected, but know the way to each other.
        public Builder transport(QueuePairType transport) {
            type = transport;
            return this;
        }

        /// Memory of each end in bytes, 64 KiB by default.
        public Builder memory(long bytes) {
            memory = bytes;
            return this;
        }

        /// Rights of that memory; all by default.
        public Builder access(Access... rights) {
            access = rights;
            return this;
        }

        /// With completion channels.
        public Builder withChannels() {
            channels = true;
            return this;
        }

        /// Changes the completion queues.
        public Builder queues(UnaryOperator<CompletionQueueOptions> change) {
            queues = change;
            return this;
        }

        /// Changes the left queue pair.
        public Builder left(UnaryOperator<QueuePairBuilder> change) {
            leftQueuePair = change;
            return this;
        }

        /// Changes the right queue pair.
        public Builder right(UnaryOperator<QueuePairBuilder> change) {
            rightQueuePair = change;
            return this;
        }

        /// Changes both queue pairs.
        public Builder both(UnaryOperator<QueuePairBuilder> change) {
            return left(change).right(change);
        }

        /// Makes both ends and connects them.
        public ConnectedPair connect() {
            End left = null;
            End right = null;
            try {
                left = end(leftDevice, leftQueuePair);
                right = end(rightDevice, rightQueuePair);
                if (leftDevice.equals(Siw.LEFT)) {
                    connectByAddress(left, right);
                } else {
                    var leftEndpoint = left.endpoint();
                    left.connect(right.endpoint(), type);
                    right.connect(leftEndpoint, type);
                }
                return new ConnectedPair(left, right);
            } catch (RuntimeException | Error e) {
                closeIfThere(left);
                closeIfThere(right);
                throw e;
            }
        }

        /// iWARP knows no other way.
        private void connectByAddress(End left, End right) {
            InetSocketAddress address = Siw.right();
            try (var server = RdmaServer.listen(address, right.options(rightQueuePair))) {
                var accepting = server.acceptAsync();
                left.connected(RdmaConnection.connect(address, left.options(leftQueuePair)));
                right.connected(accepting.get(60, TimeUnit.SECONDS));
            } catch (InterruptedException | ExecutionException | TimeoutException e) {
                throw new IllegalStateException("no connection over siw", e);
            }
        }

        private End end(String device, UnaryOperator<QueuePairBuilder> queuePair) {
            return new End(device, type, channels, queues, memory, access, queuePair);
        }

        private static void closeIfThere(@org.jspecify.annotations.Nullable End end) {
            if (end != null) {
                end.close();
            }
        }
    }
}
