// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tracing;

import io.verbs4j.abi.command.DriverAbi;
import io.verbs4j.abi.device.DeviceFile;
import io.verbs4j.spi.DeviceListener;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// Switches tracing on, for devices that are opened from then on.
///
/// Without any change to a program: start it with `-Dverbs4j.trace=calls`, and each system call is a line on the standard
/// error. The property is a list of words with commas between them:
///
/// | word | does |
/// |---|---|
/// | `calls`, `fields`, `bytes` | a text: one line a call, and each field of each struct, and all bytes ([TraceLevel]) |
/// | `text=FILE` | the text goes to a file |
/// | `json=FILE` | one JSON object a line |
/// | `data-path` | work requests and completions, too |
///
/// From a program: [#start]. A device that is opened while nothing traces is not wrapped by anything, so tracing costs
/// nothing when it is off.
public final class Tracing {
    /// Name of the system property.
    public static final String PROPERTY = "verbs4j.trace";

    private static final AtomicReference<Tracer.@Nullable Trace> CURRENT = new AtomicReference<>();

    private static final class FromProperty {
        static final Tracer.@Nullable Trace TRACE = TraceOptions.trace(System.getProperty(PROPERTY, ""));
    }

    private Tracing() {}

    /// A running trace; closing it ends the tracing of devices that are opened later, while those that are open go on.
    public interface Session extends AutoCloseable {
        /// Time at which the trace began, in terms of [System#nanoTime()]: entries count their nanoseconds from here.
        long startNanos();

        /// Returns what the sink has thrown, which has ended the trace and not the program; empty if it took all entries.
        Optional<RuntimeException> failure();

        @Override
        void close();
    }

    /// Traces the devices that are opened from now on.
    ///
    /// @param sink takes the entries
    /// @param dataPath whether work requests and completions are traced, too
    /// @return ends it
    /// @throws IllegalStateException if a trace runs that was started like this
    public static Session start(TraceSink sink, boolean dataPath) {
        var trace = new Tracer.Trace(sink, dataPath, _ -> {});
        if (!CURRENT.compareAndSet(null, trace)) {
            throw new IllegalStateException("a trace runs already");
        }
        return new Session() {
            @Override
            public long startNanos() {
                return trace.startNanos();
            }

            @Override
            public Optional<RuntimeException> failure() {
                return Optional.ofNullable(trace.output().failure());
            }

            @Override
            public void close() {
                CURRENT.compareAndSet(trace, null);
            }
        };
    }

    /// Returns a file that passes every call on to the one given and traces it, or that one itself if nothing traces.
    ///
    /// @param device name of the device
    /// @param driver what the driver adds to the ABI
    public static DeviceFile wrap(DeviceFile file, String device, DriverAbi driver) {
        return listener(device, driver).map(listener -> listener.listen(file)).orElse(file);
    }

    /// Returns what listens to a device that is being opened; empty if nothing traces.
    ///
    /// @param device name of the device
    /// @param driver what the driver adds to the ABI
    public static Optional<DeviceListener> listener(String device, DriverAbi driver) {
        return current().map(trace -> new TraceListener(new Tracer(trace, device, driver)));
    }

    /// Returns a file that traces an open file of the connection manager; empty if nothing traces.
    static Optional<DeviceFile> connectionManager(DeviceFile file) {
        return current().map(trace -> new TracingDeviceFile(
                file, new Tracer(trace, CmDecoder.DEVICE, DriverAbi.NONE), CmDecoder.ofOneFile()));
    }

    private static Optional<Tracer.Trace> current() {
        Tracer.Trace trace = CURRENT.get();
        return Optional.ofNullable(trace == null ? FromProperty.TRACE : trace);
    }
}
