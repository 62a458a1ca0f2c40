// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.micrometer;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.verbs4j.sockets.SocketReport;
import java.util.function.ToLongFunction;

/// Binds counters of the socket connections of this process. The counters `verbs.sockets` have the tags `transport`
/// (`rdma`, `tcp`) and `action` (`connect`, `accept`). The counter `verbs.sockets.fallbacks` counts sockets that use
/// TCP because RDMA failed. Needs the artifact `verbs4j-sockets`. Thread-safe.
///
/// Bind one object to each registry. A second object shares the meters of the first, and the first close removes them.
public final class SocketMetrics implements MeterBinder, AutoCloseable {
    /// The counted object. It must stay reachable: the registry has only a weak reference, and stops counting with it.
    private static final Class<?> COUNTED = SocketReport.class;

    private final BoundMeters meters = new BoundMeters();

    /// Creates a binder.
    public SocketMetrics() {}

    @Override
    public void bindTo(MeterRegistry registry) {
        bind(registry, "rdma", "connect", SocketReport::rdmaConnects);
        bind(registry, "rdma", "accept", SocketReport::rdmaAccepts);
        bind(registry, "tcp", "connect", SocketReport::tcpConnects);
        bind(registry, "tcp", "accept", SocketReport::tcpAccepts);
        meters.add(
                registry,
                FunctionCounter.builder("verbs.sockets.fallbacks", COUNTED, _ -> SocketReport.now().fallbacks())
                        .description("sockets that are TCP because RDMA failed")
                        .register(registry));
    }

    private void bind(MeterRegistry registry, String transport, String action, ToLongFunction<SocketReport> count) {
        meters.add(
                registry,
                FunctionCounter.builder("verbs.sockets", COUNTED, _ -> count.applyAsLong(SocketReport.now()))
                        .description("connections of sockets")
                        .tags("transport", transport, "action", action)
                        .register(registry));
    }

    /// Removes the counters from the registries. Idempotent.
    @Override
    public void close() {
        meters.remove();
    }
}
