// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.micrometer;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.verbs4j.Context;

/// Binds a driver's port counters. Each name in the port's `hw_counters` becomes a counter `verbs.port.NAME` with
/// the tags `device` and `port`. For rxe, these counters are packets sent and received, retries, duplicate requests and
/// out-of-order requests.
///
/// ```
/// new PortMetrics(context, 1).bindTo(registry);
/// ```
/// When the context is closed or the device removed, the counters stay at their last values. Thread-safe.
///
/// Bind one object for each port to a registry. A second object with the same tags shares the meters of the first, and
/// the first close removes them.
///
/// @see Context#hardwareCounters(int)
public final class PortMetrics implements MeterBinder, AutoCloseable {
    private static final String PREFIX = "verbs.port.";

    private final PortCounters counters;
    private final Tags tags;
    private final BoundMeters meters = new BoundMeters();

    /// Creates a binder for a port of the device.
    ///
    /// @param port from 1
    public PortMetrics(Context context, int port) {
        this(context, port, Tags.empty());
    }

    /// Creates a binder for a port of the device, with further tags.
    ///
    /// @param port from 1
    public PortMetrics(Context context, int port, Tags tags) {
        this.counters = new PortCounters(() -> context.hardwareCounters(port), System::nanoTime);
        this.tags = tags.and("device", context.device().name(), "port", Integer.toString(port));
    }

    /// Registers the driver's current counters.
    ///
    /// @throws IllegalStateException if the context is closed
    /// @throws io.verbs4j.types.DeviceGoneException if the device was removed
    @Override
    public void bindTo(MeterRegistry registry) {
        PortCounters source = counters;
        for (String name : source.names()) {
            // The function keeps a strong reference, because the registry has only a weak one.
            meters.add(
                    registry,
                    FunctionCounter.builder(PREFIX + name, source, _ -> source.value(name))
                            .description("counted by the driver (hw_counters/" + name + ")")
                            .tags(tags)
                            .register(registry));
        }
    }

    /// Removes the counters from the registries. Idempotent.
    @Override
    public void close() {
        meters.remove();
    }
}
