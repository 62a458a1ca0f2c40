// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tracing;

import io.verbs4j.abi.command.DriverAbi;
import io.verbs4j.abi.device.DeviceFile;
import io.verbs4j.spi.DeviceListener;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Enables tracing for devices that are opened afterwards.
///
/// To trace an unchanged program, start it with `-Dverbs4j.trace=calls`: each system call is a line on stderr. The
/// property is a comma-separated list:
///
/// | word | effect |
/// |---|---|
/// | `calls` | one line per call, on stderr |
/// | `fields` | like `calls`, with each field of each struct |
/// | `bytes` | like `fields`, with all bytes ([TraceLevel]) |
/// | `text=FILE` | writes the text to a file |
/// | `json=FILE` | writes one JSON object per line to a file |
/// | `data-path` | traces work requests and completions, too |
///
/// Programs use [#start]. Devices that are opened without a trace are not wrapped, so disabled tracing costs nothing.
public final class Tracing {
    /// Name of the system property.
    public static final String PROPERTY = "verbs4j.trace";

    private static final AtomicReference<Tracer.@Nullable Trace> CURRENT = new AtomicReference<>();

    private static final class FromProperty {
        static final Supplier<Tracer.@Nullable Trace> TRACE =
                TraceOptions.parsed(System.getProperty(PROPERTY, ""));
    }

    private Tracing() {}

    /// A running trace. Closing the session stops tracing for devices that are opened afterwards. Devices that are
    /// already open continue to be traced.
    public interface Session extends AutoCloseable {
        /// Returns the [System#nanoTime()] of the start of the trace, from which entries count nanoseconds.
        long startNanos();

        /// Returns the sink's exception, which has ended the trace; empty if there is none.
        Optional<RuntimeException> failure();

        @Override
        void close();
    }

    /// Traces the devices that are opened from now on.
    ///
    /// @param sink receives the entries
    /// @param dataPath whether work requests and completions are traced
    /// @return the running trace; closing it stops tracing for devices that are opened afterwards
    /// @throws IllegalStateException if a trace started by this method is running
    public static Session start(TraceSink sink, boolean dataPath) {
        var trace = new Tracer.Trace(sink, dataPath, _ -> {});
        if (!CURRENT.compareAndSet(null, trace)) {
            throw new IllegalStateException("a trace is already running");
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

    /// Returns a file that traces and forwards every call. If no trace is running, returns the given file.
    ///
    /// @param device name of the device
    /// @param driver the driver's additions to the ABI
    public static DeviceFile wrap(DeviceFile file, String device, DriverAbi driver) {
        return listener(device, driver).map(listener -> listener.listen(file)).orElse(file);
    }

    /// Returns the listener for a device that is being opened; empty without a trace.
    ///
    /// @param device name of the device
    /// @param driver the driver's additions to the ABI
    public static Optional<DeviceListener> listener(String device, DriverAbi driver) {
        return current().map(trace -> new TraceListener(new Tracer(trace, device, driver)));
    }

    /// Returns a file that traces an open file of the connection manager; empty without a trace.
    static Optional<DeviceFile> connectionManager(DeviceFile file) {
        return current().map(trace -> new TracingDeviceFile(
                file, new Tracer(trace, CmDecoder.DEVICE, DriverAbi.NONE), CmDecoder.ofOneFile()));
    }

    private static Optional<Tracer.Trace> current() {
        Tracer.Trace trace = CURRENT.get();
        return Optional.ofNullable(trace == null ? FromProperty.TRACE.get() : trace);
    }
}
