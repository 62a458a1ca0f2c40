// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.simulator.cm;

import io.verbs4j.abi.device.DeviceFile;
import io.verbs4j.abi.device.EventFile;
import io.verbs4j.abi.failure.KernelErrors;
import io.verbs4j.abi.failure.SystemOperation;
import io.verbs4j.simulator.engine.Simulation;
import io.verbs4j.simulator.kernel.EventQueue;
import io.verbs4j.simulator.kernel.Refusal;
import io.verbs4j.types.Errno;
import java.lang.foreign.MemorySegment;

/// An open `/dev/infiniband/rdma_cm` (ucma.c). It executes commands and queues events.
public final class CmFile implements DeviceFile {
    /// The identifiers of an event.
    ///
    /// @param owner the identifier that the event belongs to
    /// @param subject the new identifier of a request, otherwise the owner
    private record Source(CmIdentifier owner, CmIdentifier subject) {}

    private final ConnectionManager manager;
    private final Simulation simulation;
    private final EventQueue events;
    private final CmCommands commands;
    private volatile boolean closed;

    CmFile(ConnectionManager manager, int descriptor) {
        this.manager = manager;
        this.simulation = manager.environment.simulation();
        this.events = new EventQueue(simulation, descriptor);
        this.commands = new CmCommands(manager, this);
    }

    void post(CmIdentifier owner, CmIdentifier subject, byte[] record, Runnable read) {
        events.add(new EventQueue.Event(record, new Source(owner, subject), read));
    }

    /// Takes the next event.
    ///
    /// @throws Refusal `EAGAIN` if there is none
    void take(MemorySegment record) {
        int taken = events.read(record);
        if (taken < 0) {
            throw new Refusal(-taken);
        }
    }

    /// Drops the events of a destroyed identifier, including requests that no program has seen.
    void forget(CmIdentifier identifier) {
        events.withdraw(source -> source instanceof Source known && known.subject == identifier);
        for (EventQueue.Event request : events.withdraw(
                source -> source instanceof Source known && known.owner == identifier)) {
            if (request.source() instanceof Source source) {
                source.subject.destroy();
            }
        }
    }

    void moveEvents(CmIdentifier identifier, CmFile to) {
        events.withdraw(source -> source instanceof Source known && known.owner == identifier)
                .forEach(event -> {
                    if (event.source() instanceof Source source) {
                        source.subject.adoptedBy(to);
                    }
                    to.events.add(event);
                });
    }

    /// The connection manager has no ioctl commands.
    @Override
    public int ioctl(MemorySegment command) {
        return closed ? -Errno.EBADF : -Errno.ENOTTY;
    }

    @Override
    public int write(MemorySegment command) {
        return simulation.call(() -> closed ? -Errno.EBADF : Refusal.resultOf(() -> {
            commands.run(command);
            return (int) command.byteSize();
        }));
    }

    @Override
    public MemorySegment map(long offset, long length) {
        throw KernelErrors.failure(SystemOperation.MAP_RING, Errno.ENODEV, "the connection manager has no rings");
    }

    @Override
    public void unmap(MemorySegment ring) {
        throw KernelErrors.failure(SystemOperation.MAP_RING, Errno.EINVAL, "the connection manager has no rings");
    }

    @Override
    public EventFile eventFile(int fileDescriptor) {
        throw KernelErrors.failure(
                SystemOperation.AWAIT_EVENT, Errno.EBADF, "the connection manager creates no files");
    }

    @Override
    public int fileDescriptor() {
        return events.fileDescriptor();
    }

    @Override
    public int await(long timeoutNanos) {
        return events.await(timeoutNanos);
    }

    @Override
    public void wake() {
        events.wake();
    }

    @Override
    public void close() {
        simulation.run(() -> {
            if (closed) {
                return;
            }
            closed = true;
            for (CmIdentifier identifier : manager.all()) {
                if (identifier.file() == this && !identifier.isGone()) {
                    identifier.destroy();
                }
            }
            events.close();
            manager.closed(this);
        });
    }
}
