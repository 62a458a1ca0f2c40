// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.simulator.kernel;

import io.verbs4j.abi.device.DeviceFile;
import io.verbs4j.abi.device.EventFile;
import io.verbs4j.abi.discovery.KernelResource;
import io.verbs4j.abi.failure.KernelErrors;
import io.verbs4j.abi.failure.SystemOperation;
import io.verbs4j.abi.uapi.IbUverbsAsyncEventDesc;
import io.verbs4j.abi.uapi.UverbsObject;
import io.verbs4j.simulator.engine.Simulation;
import io.verbs4j.simulator.rxe.Ring;
import io.verbs4j.types.AsyncEventType;
import io.verbs4j.types.Errno;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// An open file of a simulated device.
public final class OpenDevice implements DeviceFile {
    private static final int PORT = 1;

    private final DeviceNode node;
    private final Simulation simulation;
    private final ObjectTable objects = new ObjectTable();
    private final Map<Long, Ring> offers = new HashMap<>();
    private final Map<Integer, EventQueue> eventFiles = new HashMap<>();
    private final IoctlCommands ioctls;
    private final WriteCommands writes;
    private @Nullable EventQueue asyncEvents;
    private boolean hasContext;
    private volatile boolean closed;

    OpenDevice(DeviceNode node) {
        this.node = node;
        this.simulation = node.rxe().simulation();
        var commands = new Commands(this);
        this.writes = new WriteCommands(this, commands);
        this.ioctls = new IoctlCommands(this, commands, writes);
    }

    DeviceNode node() {
        return node;
    }

    ObjectTable objects() {
        return objects;
    }

    /// Creates the context.
    ///
    /// @throws Refusal if it exists
    void makeContext() {
        Refusal.when(hasContext, Errno.EINVAL);
        hasContext = true;
        node.opened(this);
    }

    /// @throws Refusal if there is no context yet
    void requireContext() {
        Refusal.unless(hasContext, Errno.EINVAL);
    }

    EventQueue makeEventFile() {
        eventFiles.values().removeIf(EventQueue::isClosed);
        var queue = new EventQueue(simulation, node.file());
        eventFiles.put(queue.fileDescriptor(), queue);
        return queue;
    }

    /// Creates a file of asynchronous events. The first file serves all objects.
    EventQueue makeAsyncFile() {
        EventQueue queue = makeEventFile();
        if (asyncEvents == null) {
            asyncEvents = queue;
        }
        return queue;
    }

    /// Returns the completion channel with a number.
    EventQueue channel(int number) {
        EventQueue queue = eventFiles.get(number);
        if (queue == null || queue.isClosed()) {
            throw new Refusal(Errno.EBADF);
        }
        return queue;
    }

    /// Makes a ring available for mapping.
    ///
    /// @return its offset
    long offer(Ring ring) {
        long offset = node.offset(ring.memory().byteSize());
        offers.put(offset, ring);
        return offset;
    }

    /// Raises an event of an object.
    void report(KernelObject.Source source, AsyncEventType event) {
        EventQueue events = asyncEvents;
        if (events != null) {
            events.add(record(source.userHandle, event), source, () -> source.asyncEvents++);
        }
    }

    void reportPort(AsyncEventType event) {
        EventQueue events = asyncEvents;
        if (events != null) {
            events.add(record(PORT, event), null, () -> {});
        }
    }

    private static byte[] record(long element, AsyncEventType event) {
        var bytes = new byte[IbUverbsAsyncEventDesc.STRUCT.size()];
        var memory = MemorySegment.ofArray(bytes);
        memory.set(ValueLayout.JAVA_LONG_UNALIGNED, IbUverbsAsyncEventDesc.STRUCT.offset("element"), element);
        memory.set(
                ValueLayout.JAVA_INT_UNALIGNED, IbUverbsAsyncEventDesc.STRUCT.offset("event_type"), event.value());
        return bytes;
    }

    /// Removes unread events of an object.
    void forget(KernelObject object) {
        eventFiles.values().forEach(events -> events.forget(object));
    }

    @Override
    public int ioctl(MemorySegment command) {
        return simulation.call(() -> closed ? -Errno.EBADF : Refusal.resultOf(() -> {
            try (Arena arena = Arena.ofConfined()) {
                ioctls.run(arena, command);
                return 0;
            }
        }));
    }

    @Override
    public int write(MemorySegment command) {
        return simulation.call(() -> closed ? -Errno.EBADF : Refusal.resultOf(() -> {
            writes.run(command);
            return (int) command.byteSize();
        }));
    }

    @Override
    public MemorySegment map(long offset, long length) {
        if (length <= 0) {
            throw new IllegalArgumentException("a mapping needs at least one byte: length=" + length);
        }
        var mapped = new MemorySegment[1];
        int result = simulation.call(() -> {
            Ring ring = offers.get(offset);
            if (closed) {
                return -Errno.EBADF;
            }
            if (ring == null || length > ring.memory().byteSize()) {
                return -Errno.EINVAL;
            }
            offers.remove(offset);
            mapped[0] = ring.memory().asSlice(0, length);
            return 0;
        });
        KernelErrors.check(SystemOperation.MAP_RING, result);
        return mapped[0];
    }

    @Override
    public void unmap(MemorySegment ring) {
        simulation.run(() -> ring.fill((byte) 0));
    }

    @Override
    public void attachMemory(int region, MemorySegment memory) {
        simulation.run(() -> {
            if (objects.find(region) instanceof KernelObject.Memory registered) {
                registered.region.attach(memory);
            }
        });
    }

    @Override
    public EventFile eventFile(int fileDescriptor) {
        var found = new ArrayList<EventFile>(1);
        int result = simulation.call(() -> {
            EventQueue queue = eventFiles.get(fileDescriptor);
            if (queue == null) {
                return -Errno.EBADF;
            }
            found.add(queue);
            return 0;
        });
        KernelErrors.check(SystemOperation.AWAIT_EVENT, result);
        return found.getFirst();
    }

    @Override
    public int fileDescriptor() {
        return -1;
    }

    /// A device file itself has nothing to read.
    @Override
    public int await(long timeoutNanos) {
        return closed ? -Errno.EBADF : -Errno.EOPNOTSUPP;
    }

    @Override
    public void wake() {}

    @Override
    public void close() {
        simulation.run(() -> {
            if (closed) {
                return;
            }
            closed = true;
            for (var entry : objects.all()) {
                writes.commands.drop(entry.getValue());
                objects.remove(entry.getKey());
            }
            node.closed(this);
        });
    }

    /// Returns the objects as RDMA netlink would list them, in the order of their handles.
    List<KernelResource> resources() {
        return objects.all()
                .reversed()
                .stream()
                .flatMap(entry -> entry.getValue().resource(entry.getKey()).stream())
                .toList();
    }

    /// Returns descriptions of the objects and of the context.
    List<String> describe() {
        return objects.all()
                .stream()
                .map(entry -> name(entry.getValue().kind()) + " " + entry.getKey())
                .toList();
    }

    private static String name(UverbsObject kind) {
        return kind.name();
    }
}
