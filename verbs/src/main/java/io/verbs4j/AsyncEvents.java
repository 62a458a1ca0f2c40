// SPDX-License-Identifier: Apache-2.0
package io.verbs4j;

import io.verbs4j.abi.device.Deadline;
import io.verbs4j.abi.device.EventFile;
import io.verbs4j.abi.jfr.FlightRecords;
import io.verbs4j.abi.uapi.IbUverbsAsyncEventDesc;
import io.verbs4j.types.AsyncEventType;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Delivers the asynchronous events of a context. Thread-safe, and suitable for virtual threads. Taking an event
/// acknowledges the event.
///
/// The driver determines which events it reports. `RxeProviderFactory` lists those of rxe.
///
/// @see <a href="https://man7.org/linux/man-pages/man3/ibv_get_async_event.3.html">ibv_get_async_event(3)</a>
public final class AsyncEvents {
    private static final Set<AsyncEventType> OF_PORT = Set.of(
            AsyncEventType.PORT_ACTIVE,
            AsyncEventType.PORT_ERROR,
            AsyncEventType.LID_CHANGE,
            AsyncEventType.PKEY_CHANGE,
            AsyncEventType.SM_CHANGE,
            AsyncEventType.CLIENT_REREGISTER,
            AsyncEventType.GID_CHANGE);

    private static final Set<AsyncEventType> OF_DEVICE =
            Set.of(AsyncEventType.DEVICE_FATAL, AsyncEventType.DEVICE_SPEED_CHANGE);

    private static final Duration UNLIMITED = Duration.ofNanos(Deadline.FOREVER_NANOS);

    private final Context context;
    private final EventReader reader;
    private final Queue<AsyncEvent> arrived = new ArrayDeque<>();

    AsyncEvents(Context context, EventFile file) {
        this.context = context;
        this.reader =
                new EventReader(file, "get asynchronous event", IbUverbsAsyncEventDesc.STRUCT.size(), this::deliver);
    }

    private void deliver(MemorySegment record) {
        AsyncEventType type = IbUverbsAsyncEventDesc.eventType(record);
        long element = IbUverbsAsyncEventDesc.element(record);
        FlightRecords.async(type, element);
        if (OF_PORT.contains(type)) {
            arrived.add(new AsyncEvent(type, null, (int) element));
        } else if (OF_DEVICE.contains(type)) {
            arrived.add(new AsyncEvent(type, null, 0));
        } else {
            VerbsObject object = context.handles().get(element);
            if (object != null || !type.known()) {
                arrived.add(new AsyncEvent(type, object, 0));
            }
        }
    }

    /// Returns the number of the file descriptor from which verbs4j reads the events. Use the number only to find the
    /// descriptor in `/proc/PID/fd`; do not read from the descriptor.
    public int fileDescriptor() {
        return reader.file().fileDescriptor();
    }

    /// Takes an event that has already arrived, without waiting.
    ///
    /// @return the event, or null if there is none or the thread is interrupted
    /// @throws IllegalStateException if the context is closed
    /// @throws io.verbs4j.types.DeviceGoneException if the device was removed
    public @Nullable AsyncEvent poll() {
        try {
            return take(Duration.ZERO);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return null;
        }
    }

    /// Waits for an event.
    ///
    /// @param timeout the longest wait
    /// @return the event, or null after the timeout
    /// @throws InterruptedException if the thread is interrupted while it waits
    /// @throws IllegalStateException if the context is closed, before or during the wait
    /// @throws io.verbs4j.types.DeviceGoneException if the device was removed
    public @Nullable AsyncEvent take(Duration timeout) throws InterruptedException {
        return reader.await(_ -> arrived.poll(), 0, Deadline.after(timeout));
    }

    /// Passes each event to `handler` until the context is closed or the thread is interrupted. A virtual thread that
    /// monitors a device needs only this call.
    ///
    /// @throws io.verbs4j.types.DeviceGoneException if the device was removed
    public void forEach(Consumer<AsyncEvent> handler) {
        try {
            while (context.isUsable()) {
                AsyncEvent event = take(UNLIMITED);
                if (event != null) {
                    handler.accept(event);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IllegalStateException e) {
            if (context.isUsable()) {
                throw e;
            }
        }
    }

    void close() {
        reader.close();
    }
}
