// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.card;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.verbs4j.abi.catalogue.CommandCatalogue;
import io.verbs4j.abi.catalogue.IoctlEnvelope;
import io.verbs4j.abi.command.CommandChannel;
import io.verbs4j.abi.command.InvokeWrite;
import io.verbs4j.abi.context.QueryDevice;
import io.verbs4j.abi.device.DeviceFile;
import io.verbs4j.abi.device.EventFile;
import io.verbs4j.abi.host.Host;
import io.verbs4j.abi.uapi.IbUserVerbsCmd;
import io.verbs4j.abi.uapi.IbUverbsIoctlHdr;
import io.verbs4j.abi.uapi.RdmaDriver;
import io.verbs4j.abi.uapi.UverbsAttribute;
import io.verbs4j.abi.uapi.UverbsMethod;
import io.verbs4j.rxe.RxeProviderFactory;
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
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// An open file of the card. A thread simulates the card: it polls doorbell registers and records, and takes rxe's
/// completions.
final class CardFile implements DeviceFile {
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
    private final Map<Integer, EventFile> eventFiles = new HashMap<>();
    private final CardObjects objects;
    private final Completion completion = new Completion();
    private final Thread card = Thread.ofPlatform().daemon().name("mlx5-card").unstarted(this::run);
    private @Nullable ProviderContext rxe;
    private volatile boolean closed;

    CardFile(Host machine, DeviceFile rxeFile) {
        this.rxeFile = rxeFile;
        this.rxeChannel = CommandChannel.open(
                rxeFile, machine, RdmaDriver.RXE, "rxe behind the card", 2, QueryDevice.SPECIFICATION);
        this.objects = new CardObjects(rxeChannel);
    }

    private void run() {
        int idle = 0;
        while (!closed) {
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
            return !closed && action.getAsBoolean();
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
        IoctlEnvelope envelope = IoctlEnvelope.of(command);
        UverbsMethod method = envelope.method().orElse(null);
        if (InvokeWrite.METHOD.equals(method)) {
            try (Arena scratch = Arena.ofConfined()) {
                return CommandCatalogue
                        .write((int) argument(scratch, envelope, InvokeWrite.WRITE_CMD).get(JAVA_LONG, 0))
                        .map(known -> run(
                                known,
                                new CardCommand(
                                        scratch,
                                        known,
                                        argument(scratch, envelope, InvokeWrite.CORE_IN),
                                        argument(scratch, envelope, UverbsAttribute.UHW_IN),
                                        argument(scratch, envelope, InvokeWrite.CORE_OUT),
                                        argument(scratch, envelope, UverbsAttribute.UHW_OUT))))
                        .orElse(-Errno.EOPNOTSUPP);
            }
        }
        if (method == null || !OF_THE_CORE.contains(method.name())) {
            return -Errno.EPROTONOSUPPORT;
        }
        command.set(JAVA_INT, IbUverbsIoctlHdr.STRUCT.offset("driver_id"), RdmaDriver.RXE);
        return rxeFile.ioctl(command);
    }

    private static MemorySegment argument(Arena scratch, IoctlEnvelope envelope, UverbsAttribute attribute) {
        IoctlEnvelope.Argument found = envelope.argument(attribute).orElse(null);
        if (found == null) {
            return MemorySegment.NULL;
        }
        if (attribute.kind() == UverbsAttribute.Kind.OUT) {
            found.markWritten();
            return CardMemory.at(found.data(), found.length());
        }
        return found.isInline() || attribute.kind() == UverbsAttribute.Kind.CONSTANT
                ? scratch.allocateFrom(JAVA_LONG, found.data())
                : CardMemory.at(found.data(), found.length());
    }

    @Override
    public int write(MemorySegment message) {
        return closed ? -Errno.EBADF : -Errno.EPERM; // as to a process that has changed its credentials
    }

    private int run(IbUserVerbsCmd known, CardCommand command) {
        lock.lock();
        try {
            return closed ? -Errno.EBADF : answer(known, command);
        } catch (VerbsException refused) {
            return -refused.errno();
        } finally {
            lock.unlock();
        }
    }

    private int answer(IbUserVerbsCmd known, CardCommand command) {
        MemorySegment core = command.core();
        MemorySegment answer = command.answer();
        switch (known.name()) {
            case "GET_CONTEXT" -> context(command);
            case "CREATE_COMP_CHANNEL" -> {
                var channel = new CardEvents(1_000 + eventFiles.size());
                eventFiles.put(channel.fileDescriptor(), channel);
                answer.set(JAVA_INT, 0, channel.fileDescriptor());
            }
            case "CREATE_CQ" -> objects.createQueue(command, channel(core.get(JAVA_INT, 24)));
            case "RESIZE_CQ" -> objects.resize(command);
            case "DESTROY_CQ" -> objects.destroyQueue(core.get(JAVA_INT, 8));
            case "CREATE_SRQ" -> objects.createShared(command);
            case "DESTROY_SRQ" -> answer.set(JAVA_INT, 0, objects.destroyShared(core.get(JAVA_INT, 8)));
            case "MODIFY_SRQ" -> objects.limit(core);
            case "CREATE_QP" -> objects.createPair(command);
            case "DESTROY_QP" -> {
                objects.complete(completion);
                answer.set(JAVA_INT, 0, objects.destroyPair(core.get(JAVA_INT, 8)));
            }
            case "MODIFY_QP" -> {
                objects.complete(completion);
                return objects.modify(core, () -> command.handOn(rxeFile));
            }
            default -> {
                int result = command.handOn(rxeFile);
                if (result == 0) {
                    CardStructs.name(known, answer);
                }
                return result;
            }
        }
        return 0;
    }

    private @Nullable CardEvents channel(int fileDescriptor) {
        if (fileDescriptor < 0) {
            return null;
        }
        if (eventFiles.get(fileDescriptor) instanceof CardEvents events) {
            return events;
        }
        throw new VerbsException("create completion queue", Errno.EBADF, "no channel");
    }

    private void context(CardCommand command) {
        ProviderContext opened = new RxeProviderFactory().open(rxeChannel);
        rxe = opened;
        objects.open(opened);
        eventFiles.put(opened.asyncEvents().fileDescriptor(), opened.asyncEvents());
        CardStructs.answerContext(command, opened);
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
            EventFile found = eventFiles.get(fileDescriptor);
            if (found == null) {
                throw new VerbsException("await event", Errno.EBADF, "no event file");
            }
            return found;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public int fileDescriptor() {
        return -1;
    }

    @Override
    public int await(long timeoutNanos) {
        return -Errno.EOPNOTSUPP;
    }

    @Override
    public void wake() {}

    @Override
    public void close() {
        lock.lock();
        try {
            if (closed) {
                return;
            }
            closed = true;
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
