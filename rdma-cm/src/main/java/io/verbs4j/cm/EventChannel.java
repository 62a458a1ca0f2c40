// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm;

import io.verbs4j.abi.cm.CmDevice;
import io.verbs4j.abi.cm.CmEventRecord;
import io.verbs4j.abi.cm.CreateIdentifier;
import io.verbs4j.abi.cm.DestroyIdentifier;
import io.verbs4j.abi.cm.GetEvent;
import io.verbs4j.abi.device.Deadline;
import io.verbs4j.abi.device.DeviceFile;
import io.verbs4j.types.Errno;
import io.verbs4j.types.PortSpace;
import io.verbs4j.types.QueuePairType;
import io.verbs4j.types.VerbsException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// An open `/dev/infiniband/rdma_cm`. It creates identifiers and delivers their events. Thread-safe; may be closed at
/// any time, even while other threads wait for events.
///
/// Each event is delivered to one thread. [#close()] closes all identifiers: requests are rejected, and connections
/// end.
///
/// @see <a href="https://man7.org/linux/man-pages/man3/rdma_create_event_channel.3.html">rdma_create_event_channel(3)</a>
public final class EventChannel implements AutoCloseable {
    /// Source of the names of identifiers and memberships in events. Names are never reused, not even in another
    /// channel. Therefore the event of a closed identifier finds no object. The kernel drops events with the name 0.
    private static final AtomicLong NEXT_NAME = new AtomicLong(1);

    private static final long UNLIMITED = -1;

    private final DeviceFile file;
    /// Identifiers and memberships by the names in the kernel's events.
    private final Map<Long, Object> names = new ConcurrentHashMap<>();
    /// Prevents an identifier from migrating between the taking of its event and the search for its name.
    private final ReentrantLock taking = new ReentrantLock();
    private volatile boolean closed;

    private EventChannel(DeviceFile file) {
        this.file = file;
    }

    /// Opens a channel.
    ///
    /// @throws VerbsException if the device file does not exist (`modprobe rdma_ucm`) or cannot be opened
    public static EventChannel open() {
        try {
            return of(CmDevice.open());
        } catch (VerbsException e) {
            throw e.errno() == Errno.ENODEV || e.errno() == Errno.ENXIO ? withoutDriver(e) : e;
        }
    }

    /// Creates a channel over a file that need not be the kernel's, such as the file of a simulation or of a fault
    /// injector.
    ///
    /// @param file must return `-EAGAIN` to a command for an event if there is none
    public static EventChannel of(DeviceFile file) {
        return new EventChannel(file);
    }

    /// Returns the exception for a device file that exists, but has no driver.
    private static VerbsException withoutDriver(VerbsException e) {
        var explained = new VerbsException(
                "open connection manager",
                e.errno(),
                CmDevice.NODE + " has no driver; load the connection manager (modprobe " + CmDevice.MODULE + ")");
        explained.addSuppressed(e);
        return explained;
    }

    /// Creates an identifier, in the network namespace of the calling thread.
    ///
    /// @param space [PortSpace#TCP] for connections, [PortSpace#UDP] for datagrams
    /// @see <a href="https://man7.org/linux/man-pages/man3/rdma_create_id.3.html">rdma_create_id(3)</a>
    public Identifier create(PortSpace space) {
        return create(space, space.queuePairType());
    }

    /// Creates an identifier for queue pairs of a type that may differ from the usual type of the port space.
    public Identifier create(PortSpace space, QueuePairType type) {
        requireOpen();
        long name = reserveName();
        int number;
        try {
            number = CreateIdentifier.execute(file, name, space, type);
        } catch (VerbsException e) {
            throw closedInstead(e);
        }
        return adopt(number, name, space, type);
    }

    private Identifier adopt(int number, long name, PortSpace space, QueuePairType type) {
        var identifier = new Identifier(this, number, name, space, type);
        names.put(name, identifier);
        return identifier;
    }

    /// Takes the next event without waiting.
    ///
    /// @return empty if there is none
    /// @throws IllegalStateException if the channel is closed
    public Optional<CmEvent> poll() {
        while (true) {
            requireOpen();
            taking.lock();
            try {
                CmEventRecord event = GetEvent.execute(file);
                if (event == null) {
                    return Optional.empty();
                }
                CmEvent translated = translate(event);
                if (translated != null) {
                    return Optional.of(translated);
                }
            } catch (VerbsException e) {
                throw closedInstead(e);
            } finally {
                taking.unlock();
            }
        }
    }

    /// Waits for the next event without a timeout. Several threads may wait. A virtual thread does not pin its carrier.
    ///
    /// @return empty after [#wake()]
    /// @throws InterruptedException if the thread is interrupted while it waits
    /// @throws IllegalStateException if the channel is closed, even during this call
    /// @see <a href="https://man7.org/linux/man-pages/man3/rdma_get_cm_event.3.html">rdma_get_cm_event(3)</a>
    public Optional<CmEvent> await() throws InterruptedException {
        Optional<CmEvent> event = poll();
        while (event.isEmpty() && awaitReadable(UNLIMITED)) {
            event = poll();
        }
        return event;
    }

    /// Waits for the next event as [#await()] does, up to a timeout.
    ///
    /// @return empty after the timeout, or after [#wake()]
    /// @throws InterruptedException if the thread is interrupted while it waits
    /// @throws IllegalStateException if the channel is closed, even during this call
    public Optional<CmEvent> await(Duration timeout) throws InterruptedException {
        Optional<CmEvent> event = poll();
        if (event.isPresent()) {
            return event;
        }
        long deadline = Deadline.within(timeout);
        while (event.isEmpty() && awaitReadable(Deadline.left(deadline))) {
            event = poll();
        }
        return event.isPresent() ? event : poll();
    }

    /// @return false after the timeout, or after [#wake()]
    private boolean awaitReadable(long timeoutNanos) throws InterruptedException {
        int result = file.await(timeoutNanos);
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        if (result < 0 && result != -Errno.EINTR) {
            throw closedInstead(GetEvent.SPECIFICATION.failure(-result));
        }
        requireOpen();
        return result > 0;
    }

    /// Makes all currently waiting threads return without an event.
    public void wake() {
        file.wake();
    }

    /// Returns the number of the file descriptor, which is readable while events are available. In a simulation, the
    /// number is negative.
    public int fileDescriptor() {
        return file.fileDescriptor();
    }

    /// Returns whether [#close()] was called.
    public boolean isClosed() {
        return closed;
    }

    private @Nullable CmEvent translate(CmEventRecord event) {
        Object object = names.get(event.uid());
        return switch (object) {
            case Identifier identifier -> EventTranslation.of(event, identifier, this::incoming);
            case Membership membership -> EventTranslation.of(event, membership);
            case null, default -> {
                // The program closed the identifier after the kernel queued the event. The new identifier of a request
                // would leak.
                if (EventTranslation.isRequest(event)) {
                    DestroyIdentifier.execute(file, event.id());
                }
                yield null;
            }
        };
    }

    private Identifier incoming(Identifier listener, int number) {
        return adopt(number, reserveName(), listener.portSpace(), listener.queuePairType());
    }

    static long reserveName() {
        return NEXT_NAME.getAndIncrement();
    }

    void put(long name, Object object) {
        names.put(name, object);
    }

    void remove(long name) {
        names.remove(name);
    }

    DeviceFile file() {
        return file;
    }

    /// Runs a command while no thread takes an event.
    void whileNotTaking(Runnable command) {
        taking.lock();
        try {
            command.run();
        } finally {
            taking.unlock();
        }
    }

    void requireOpen() {
        if (closed) {
            throw new IllegalStateException(this + " is closed");
        }
    }

    /// Returns the exception for a channel that was closed during a command.
    RuntimeException closedInstead(VerbsException e) {
        return closed && e.errno() == Errno.EBADF ? new IllegalStateException(this + " is closed", e) : e;
    }

    /// Closes the channel with all its identifiers and memberships, and ends all waits. Idempotent.
    @Override
    public void close() {
        closed = true;
        file.close();
        for (Object object : names.values()) {
            if (object instanceof Membership membership) {
                membership.end();
            } else if (object instanceof Identifier identifier) {
                // The kernel drops the events of a closed file.
                ConnectionEvents.dispatch(new CmEvent.Disconnected(identifier, 0));
            }
        }
        names.clear();
    }

    @Override
    public String toString() {
        return "event channel " + file.fileDescriptor();
    }
}
