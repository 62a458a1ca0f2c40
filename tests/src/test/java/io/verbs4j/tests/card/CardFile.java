// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.card;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.verbs4j.abi.KernelCall;
import io.verbs4j.abi.KernelSide;
import io.verbs4j.abi.catalogue.IoctlEnvelope;
import io.verbs4j.abi.command.CommandChannel;
import io.verbs4j.abi.command.InvokeWrite;
import io.verbs4j.abi.command.IoctlCommand;
import io.verbs4j.abi.context.QueryDevice;
import io.verbs4j.abi.device.DeviceFile;
import io.verbs4j.abi.device.EventFile;
import io.verbs4j.abi.host.Host;
import io.verbs4j.abi.uapi.IbUverbsIoctlHdr;
import io.verbs4j.abi.uapi.RdmaDriver;
import io.verbs4j.abi.uapi.UverbsMethod;
import io.verbs4j.rxe.RxeProviderFactory;
import io.verbs4j.simulator.engine.Clock;
import io.verbs4j.simulator.engine.Simulation;
import io.verbs4j.simulator.kernel.EventQueue;
import io.verbs4j.spi.Completion;
import io.verbs4j.spi.ProviderContext;
import io.verbs4j.types.Errno;
import io.verbs4j.types.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// An open file of the card. A thread simulates the card: it polls doorbell registers and records, and takes rxe's
/// completions.
final class CardFile extends KernelSide {
    private static final int PAGE = 4096;
    private static final Set<String> OF_THE_CORE =
            Set.of("QUERY_GID_TABLE", "QUERY_GID_ENTRY", "ADVISE_MR", "QUERY_MR");
    /// Places of doorbell registers in their pages, each of two halves.
    private static final int FIRST_REGISTER = 0x800;

    private static final int REGISTER = 512;
    private static final int REGISTERS = 4;
    private static final int COMPLETIONS = 0x20;
    private static final int IDLE_TURNS = 200;
    private static final long PAUSE_NANOS = 50_000;

    private static final List<CardFile> OPEN = new CopyOnWriteArrayList<>();

    private final DeviceFile rxeFile;
    private final CommandChannel rxeChannel;
    /// Held by the card in each of its turns, and by a command. It guards all that is below.
    private final ReentrantLock lock = new ReentrantLock();

    private final Arena arena = Arena.ofShared();
    private final List<MemorySegment> pages = new ArrayList<>();
    private final Map<Integer, EventFile> files = new HashMap<>();
    private final CardObjects objects;
    private final Completion completion = new Completion();
    private final Thread card = Thread.ofPlatform().daemon().name("mlx5-card").unstarted(this::run);
    private @Nullable ProviderContext rxe;

    CardFile(Host machine, DeviceFile rxeFile) {
        super(RdmaDriver.MLX5);
        hasNativeMethods = false;
        keepsCommands = false;
        this.rxeFile = rxeFile;
        this.rxeChannel = CommandChannel.open(
                rxeFile, machine, RdmaDriver.RXE, "rxe behind the card", 2, QueryDevice.SPECIFICATION);
        this.objects = new CardObjects(rxeChannel);
    }

    private void run() {
        int idle = 0;
        while (!isClosed()) {
            boolean rung = inside(this::doorbells);
            if (rung) {
                // A real card reads a receive when a message comes; rxe must have it before.
                OPEN.forEach(other -> other.inside(other.objects::receive));
            }
            boolean some = inside(() -> step(rung));
            idle = some ? 0 : idle + 1;
            if (idle > IDLE_TURNS) {
                LockSupport.parkNanos(PAUSE_NANOS);
            } else {
                Thread.onSpinWait();
            }
        }
    }

    /// Does something with the lock held, unless the file is closed.
    private boolean inside(BooleanSupplier action) {
        lock.lock();
        try {
            return !isClosed() && action.getAsBoolean();
        } finally {
            lock.unlock();
        }
    }

    private boolean doorbells() {
        boolean rung = false;
        for (MemorySegment page : pages) {
            for (int half = 0; half < 2 * REGISTERS; half++) {
                rung |= CardMemory.take(page, FIRST_REGISTER + half * (REGISTER / 2L)) != 0;
            }
        }
        if (rung) {
            objects.look();
        }
        return rung;
    }

    /// One look at everything. Completions first: their work requests' places are free for others then.
    private boolean step(boolean rung) {
        boolean some = objects.complete(completion);
        some |= objects.receive();
        some |= objects.send(rung);
        if (!pages.isEmpty()) {
            long arming = CardMemory.take(pages.getFirst(), COMPLETIONS);
            if (arming != 0) {
                objects.complete(completion);
                objects.arm((int) (Long.reverseBytes(arming)));
                some = true;
            }
        }
        return some | rung;
    }

    /// Commands of the core with their own methods go to rxe if no driver has a part in them. All others are refused,
    /// so that they are sent as write commands inside an ioctl.
    @Override
    public int ioctl(MemorySegment command) {
        String method = IoctlEnvelope.of(command).method().map(UverbsMethod::name).orElse("");
        if (!OF_THE_CORE.contains(method)) {
            return super.ioctl(command);
        }
        command.set(JAVA_INT, IbUverbsIoctlHdr.STRUCT.offset("driver_id"), RdmaDriver.RXE);
        return rxeFile.ioctl(command);
    }

    @Override
    public int write(MemorySegment message) {
        return isClosed() ? -Errno.EBADF : -Errno.EPERM; // as for a process that has changed its credentials
    }

    @Override
    protected boolean happens(String operation) {
        return true;
    }

    @Override
    protected int answer(KernelCall call) {
        lock.lock();
        try {
            return isClosed() ? -Errno.EBADF : answerLocked(call);
        } catch (VerbsException refused) {
            return -refused.errno();
        } finally {
            lock.unlock();
        }
    }

    private int answerLocked(KernelCall call) {
        switch (call.operation()) {
            case "get context" -> context(call);
            case "create completion channel" -> {
                var channel = new EventQueue(new Simulation(Clock.REAL), 1_000 + files.size());
                files.put(channel.fileDescriptor(), channel);
                call.created(channel.fileDescriptor());
            }
            case "create completion queue" -> objects.createQueue(call, channel((int) call.get("comp_channel")));
            case "resize completion queue" -> objects.resize(call);
            case "destroy completion queue" -> objects.destroyQueue(call.handle());
            case "create shared receive queue" -> objects.createShared(call);
            case "destroy shared receive queue" ->
                call.response().set("events_reported", objects.destroyShared(call.handle()));
            case "modify shared receive queue" -> objects.limit(call.request);
            case "create queue pair" -> objects.createPair(call);
            case "destroy queue pair" -> {
                objects.complete(completion);
                call.response().set("events_reported", objects.destroyPair(call.handle()));
            }
            case "modify queue pair" -> {
                objects.complete(completion);
                int result = objects.modify(call.request, () -> handOn(call));
                objects.complete(completion); // a card has written all completions when a reset ends
                return result;
            }
            default -> {
                int result = handOn(call);
                if (result == 0) {
                    CardStructs.name(call);
                }
                return result;
            }
        }
        return 0;
    }

    /// Makes rxe execute a command, without the driver's part.
    private int handOn(KernelCall call) {
        int number = Objects.requireNonNull(call.command).command();
        try (Arena scratch = Arena.ofConfined()) {
            IoctlCommand command = IoctlCommand.of(scratch, InvokeWrite.METHOD)
                    .constant(InvokeWrite.WRITE_CMD, Integer.toUnsignedLong(number))
                    .in(InvokeWrite.CORE_IN, call.request);
            if (call.response.byteSize() > 0) {
                command.out(InvokeWrite.CORE_OUT, call.response);
            }
            return command.execute(rxeChannel);
        }
    }

    private @Nullable EventQueue channel(int fileDescriptor) {
        if (fileDescriptor < 0) {
            return null;
        }
        if (files.get(fileDescriptor) instanceof EventQueue events) {
            return events;
        }
        throw new VerbsException("create completion queue", Errno.EBADF, "no channel");
    }

    private void context(KernelCall call) {
        ProviderContext opened = new RxeProviderFactory().open(rxeChannel);
        rxe = opened;
        objects.open(opened);
        files.put(opened.asyncEvents().fileDescriptor(), opened.asyncEvents());
        CardStructs.answerContext(call, opened);
        OPEN.add(this);
        card.start();
    }

    @Override
    public MemorySegment map(long offset, long length) {
        lock.lock();
        try {
            MemorySegment page = arena.allocate(length, PAGE);
            pages.add(page);
            return page;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void unmap(MemorySegment ring) {
        lock.lock();
        try {
            pages.removeIf(page -> page.address() == ring.address());
        } finally {
            lock.unlock();
        }
    }

    @Override
    public EventFile eventFile(int fileDescriptor) {
        lock.lock();
        try {
            EventFile found = files.get(fileDescriptor);
            if (found == null) {
                throw new VerbsException("await event", Errno.EBADF, "no event file");
            }
            return found;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            if (isClosed()) {
                return;
            }
            super.close();
            OPEN.remove(this);
            if (rxe != null) {
                rxe.close();
            }
            rxeChannel.close();
        } finally {
            lock.unlock();
        }
    }
}
