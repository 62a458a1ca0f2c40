// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.sockets;

import io.verbs4j.abi.failure.Initial;
import io.verbs4j.cm.stream.StreamGroup;
import io.verbs4j.cm.stream.StreamOptions;
import io.verbs4j.jmx.Beans;
import io.verbs4j.management.Management;
import io.verbs4j.sockets.SocketRules.Action;
import io.verbs4j.sockets.SocketRules.Transport;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/// The state that the sockets of a process share: rules, open devices, and the targets that could not be reached over
/// RDMA recently.
final class SocketContext {
    static final String RULES = "verbs4j.sockets.rules";
    private static final String RING_BYTES = "verbs4j.sockets.ring";
    private static final String MEMORY = "verbs4j.sockets.memory";
    private static final int DEFAULT_RING_BYTES = 1 << 20;
    /// The sending ring contains only bytes that are on their way to the peer's receiving ring.
    private static final int SENDING_PART = 4;
    private static final int MIN_SENDING_BYTES = 1 << 17;
    private static final int RING_BYTES_PER_MESSAGE = 256;
    private static final long DEFAULT_MEMORY = 1L << 30;
    private static final String CONNECT_SECONDS = "verbs4j.sockets.connect";
    private static final int DEFAULT_CONNECT_SECONDS = 10;
    private static final Duration FAILURE_MEMORY = Duration.ofSeconds(5);

    /// Initialized with the first socket.
    private static final class Shared {
        static final Supplier<SocketContext> CONTEXT = Initial.of(SocketContext::ofProperties);
    }

    /// Creates a context as the system properties request.
    ///
    /// @throws IllegalArgumentException if a property is not a number
    /// @throws UncheckedIOException if the file with the rules cannot be read
    static SocketContext ofProperties() {
        var context = new SocketContext(
                rulesOfProperty(), StreamGroup.create(property(MEMORY, DEFAULT_MEMORY)), new ConcurrentHashMap<>());
        if (Management.isOn()) {
            Beans.register(new Bean(context.rules), "Sockets", Map.of());
        }
        return context;
    }

    private static SocketRules rulesOfProperty() {
        String file = System.getProperty(RULES, "");
        try {
            return file.isEmpty() ? SocketRules.defaults() : SocketRules.read(Path.of(file));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the rules of sockets: " + RULES + "=" + file, e);
        }
    }

    private record Bean(SocketRules shownRules) implements SocketsMXBean {
        @Override
        public String getRules() {
            return shownRules.toString();
        }

        @Override
        public SocketReport getReport() {
            return SocketReport.now();
        }

        @Override
        public List<SocketConnection> getConnections() {
            return SocketCounters.connections();
        }
    }

    private final SocketRules rules;
    private final StreamGroup group;
    /// Times until which targets count as unreachable over RDMA, by `System.nanoTime()`.
    private final Map<InetSocketAddress, Long> failures;

    SocketContext(SocketRules rules, StreamGroup group, Map<InetSocketAddress, Long> failures) {
        this.rules = rules;
        this.group = group;
        this.failures = failures;
    }

    static SocketContext shared() {
        return Shared.CONTEXT.get();
    }

    SocketContext with(SocketRules other) {
        return new SocketContext(other, group, failures);
    }

    SocketRules rules() {
        return rules;
    }

    /// Returns the number in a system property.
    ///
    /// @param absent the result if the property is not set
    /// @throws IllegalArgumentException if the property is not a number; [Long#getLong] would ignore the property
    private static long property(String name, long absent) {
        String value = System.getProperty(name);
        try {
            return value == null ? absent : Long.decode(value);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(name + "=" + value + " is not a number", e);
        }
    }

    /// Returns the options of a stream. Small rings get short queues, because queues of the default length need more
    /// memory than the rings.
    StreamOptions options() {
        int bytes = Math.clamp(property(RING_BYTES, DEFAULT_RING_BYTES), 0, Integer.MAX_VALUE);
        StreamOptions defaults = StreamOptions.defaults();
        int sending = Math.max(bytes / SENDING_PART, Math.min(bytes, MIN_SENDING_BYTES));
        return defaults.withBuffers(sending, bytes)
                .withMessages(
                        Math.clamp(bytes / RING_BYTES_PER_MESSAGE, StreamOptions.MIN_MESSAGES, defaults.messages()))
                .withConnectTimeout(Duration.ofSeconds(property(CONNECT_SECONDS, DEFAULT_CONNECT_SECONDS)))
                .withGroup(group);
    }

    /// Returns the options of a stream to connect. If the program has set a timeout and TCP is allowed, RDMA gets at
    /// most half of the timeout, so that the rest remains for TCP.
    ///
    /// @param millis the program's timeout; 0 for none
    StreamOptions options(Transport transport, int millis) {
        StreamOptions options = options();
        Duration half = Duration.ofMillis(Math.ceilDiv(millis, 2));
        return transport == Transport.RDMA_OR_TCP && millis > 0 && half.compareTo(options.connectTimeout()) < 0
                ? options.withConnectTimeout(half)
                : options;
    }

    /// Returns the transport of a connection, and counts the connection if that is TCP. Returns TCP if the target was
    /// recently unreachable over RDMA and the rules permit TCP.
    Transport connecting(InetSocketAddress address) {
        Transport transport = rules.transport(Action.CONNECT, address);
        if (transport == Transport.TCP) {
            SocketCounters.TCP_CONNECTS.increment();
        } else if (transport == Transport.RDMA_OR_TCP) {
            Long until = failures.get(address);
            if (until != null) {
                if (System.nanoTime() - until < 0) {
                    SocketCounters.fellBackAgain(address);
                    return Transport.TCP;
                }
                failures.remove(address, until);
            }
        }
        return transport;
    }

    /// Records that a target could not be reached over RDMA, or not soon enough for the program.
    void failed(InetSocketAddress address) {
        long now = System.nanoTime();
        failures.values().removeIf(until -> now - until >= 0);
        failures.put(address, now + FAILURE_MEMORY.toNanos());
    }
}
