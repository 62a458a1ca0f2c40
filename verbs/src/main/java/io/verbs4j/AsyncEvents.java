// SPDX-License-Identifier: Apache-2.0
package io.verbs4j;

import io.verbs4j.abi.EventFile;
import io.verbs4j.types.AsyncEventType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The asynchronous events of a context. Thread-safe, and fit for virtual threads. Taking an event acknowledges it.
///
/// @see <a href="https://man7.org/linux/man-pages/man3/ibv_get_async_event.3.html">ibv_get_async_event(3)</a>
public final class AsyncEvents {
    /// `struct ib_uverbs_async_event_desc`: element, type, a reserved word.
    private static final long RECORD_BYTES = 16;

    private static final long ELEMENT = 0;
    private static final long EVENT_TYPE = 8;

    private static final Set<AsyncEventType> OF_PORT = Set.of(
            AsyncEventType.PORT_ACTIVE,
            AsyncEventType.PORT_ERROR,
            AsyncEventType.LID_CHANGE,
            AsyncEventType.PKEY_CHANGE,
            AsyncEventType.SM_CHANGE,
            AsyncEventType.CLIENT_REREGISTER,
            AsyncEventType.GID_CHANGE);

    private final Context context;
    private final EventReader reader;
    private final Queue<AsyncEvent> arrived = new ArrayDeque<>();

    AsyncEvents(Context context, EventFile file) {
        this.context = context;
        this.reader = new EventReader(file, "get asynchronous event", RECORD_BYTES, this::deliver);
    }

    private void deliver(MemorySegment record) {
        var type = new AsyncEventType(record.get(ValueLayout.JAVA_INT, EVENT_TYPE));
        long element = record.get(ValueLayout.JAVA_LONG, ELEMENT);
        if (OF_PORT.contains(type)) {
            arrived.add(new AsyncEvent(type, null, (int) element));
        } else if (type.equals(AsyncEventType.DEVICE_FATAL)) {
            arrived.add(new AsyncEvent(type, null, 0));
        } else {
            VerbsObject object = context.handles().get(element);
            if (object != null || !type.known()) {
                arrived.add(new AsyncEvent(type, object, 0));
            }
        }
    }

    /// Takes an event that has happened already.
    ///
    /// @return the event, or null if there is none
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
    /// @throws IllegalStateException if the context is closed, also meanwhile
    public @Nullable AsyncEvent take(Duration timeout) throws InterruptedException {
        @Nullable AsyncEvent[] taken = new @Nullable AsyncEvent[1];
        long deadline = System.nanoTime() + Waiting.nanos(timeout);
        return reader.await(() -> (taken[0] = arrived.poll()) != null, deadline) ? taken[0] : null;
    }

    /// Hands each event to `handler` until the context is closed or the thread is interrupted: the whole body of a
    /// (virtual) thread that watches a device.
    public void forEach(Consumer<AsyncEvent> handler) {
        try {
            while (context.isUsable()) {
                AsyncEvent event = take(Duration.ofDays(1));
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
