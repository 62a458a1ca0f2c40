// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.siw;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;
import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.abi.catalogue.CommandCatalogue;
import io.verbs4j.abi.command.CommandChannel;
import io.verbs4j.abi.command.Transport;
import io.verbs4j.abi.device.DeviceFile;
import io.verbs4j.abi.device.EventFile;
import io.verbs4j.abi.memory.RegisterMemory;
import io.verbs4j.abi.queuepair.PostSendDoorbell;
import io.verbs4j.abi.sharedreceive.QuerySharedReceiveQueue;
import io.verbs4j.abi.uapi.CStruct;
import io.verbs4j.abi.uapi.IbUserVerbsCmd;
import io.verbs4j.abi.uapi.IbUverbsQueryDeviceResp;
import io.verbs4j.abi.uapi.IbUverbsQueryQpResp;
import io.verbs4j.spi.ProviderAddressHandle;
import io.verbs4j.spi.ProviderContext;
import io.verbs4j.spi.ProviderProtectionDomain;
import io.verbs4j.spi.kit.Element;
import io.verbs4j.spi.kit.PlayedDevice;
import io.verbs4j.spi.ring.OpcodeSet;
import io.verbs4j.types.Errno;
import io.verbs4j.types.SendFlags;
import io.verbs4j.types.VerbsException;
import io.verbs4j.types.WorkRequestOpcode;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// siw's kernel side in memory: commands by `write()`, and the rings by the offsets of `siw-abi.h`, which are declared
/// here independently.
final class PlayedSiw implements PlayedDevice, DeviceFile {
    private static final int SQE = 120;
    private static final int RQE = 112;
    private static final int CQE = 32;
    private static final int GUARD = 4096;
    private static final byte POISON = 0x5c;
    private static final int QUEUE_PAIR = 17;
    private static final int[] OPCODES = {
            WorkRequestOpcode.RDMA_WRITE, WorkRequestOpcode.RDMA_READ, -1, WorkRequestOpcode.SEND, -1,
            WorkRequestOpcode.SEND_WITH_INVALIDATE
    };

    /// A ring between guards.
    private static final class Ring {
        final MemorySegment around;
        final MemorySegment memory;
        final int slots;
        final int bytes;
        int next;

        Ring(Arena arena, int slots, int bytes, int extra) {
            long size = (long) slots * bytes + extra;
            this.around = arena.allocate(size + 2 * GUARD, GUARD).fill(POISON);
            this.memory = around.asSlice(GUARD, size).fill((byte) 0);
            this.slots = slots;
            this.bytes = bytes;
        }

        MemorySegment slot(int number) {
            return memory.asSlice((long) (number & slots - 1) * bytes, bytes);
        }

        int waiting() {
            int count = 0;
            while (count < slots && (slot(next + count).get(JAVA_SHORT, 8) & 1) != 0) {
                count++;
            }
            return count;
        }

        void checkGuards() {
            for (MemorySegment guard : List.of(
                    around.asSlice(0, GUARD), around.asSlice(around.byteSize() - GUARD, GUARD))) {
                assertThat(guard.toArray(JAVA_BYTE)).as("memory beside the ring").containsOnly(POISON);
            }
        }
    }

    private final Arena arena = Arena.ofShared();
    private final Map<Integer, String> objects = new TreeMap<>();
    private final Map<Long, Ring> offers = new HashMap<>();
    private final Random rubbish = new Random(5);
    private final ProviderContext context;
    private final ProviderProtectionDomain domain;
    private @Nullable Ring sends;
    private @Nullable Ring receives;
    private @Nullable Ring completions;
    private int handles;
    private int mapped;
    private int untilFailure;
    private long keys = 0x1000;
    private final List<String> commands;
    private final long longestMessage;
    private final int sharedReceiveQueues;

    /// The state that the kernel reports of the queue pair.
    int reportedState;

    /// The events that the kernel reports of a destroyed queue pair or shared receive queue.
    int reportedEvents;

    PlayedSiw() {
        this(0xffff_ffffL, 0, 0, new ArrayList<>());
    }

    PlayedSiw(long longestMessage, int sharedReceiveQueues) {
        this(longestMessage, sharedReceiveQueues, 0, new ArrayList<>());
    }

    /// Opens the device.
    ///
    /// @param failing number of the call that fails, from 1; 0 if none does
    /// @param commands receives the commands, and the closing of the file of events
    PlayedSiw(long longestMessage, int sharedReceiveQueues, int failing, List<String> commands) {
        this.longestMessage = longestMessage;
        this.sharedReceiveQueues = sharedReceiveQueues;
        this.commands = commands;
        failCall(failing);
        CommandChannel channel = CommandChannel.open(this, 18, "siw0", 1, Transport.WRITE);
        context = new SiwProviderFactory().open(channel);
        domain = context.allocateProtectionDomain();
    }

    private static Ring made(@Nullable Ring ring) {
        if (ring == null) {
            throw new AssertionError("no such ring");
        }
        return ring;
    }

    /// Returns the commands since the last call: names, and the fields that are not zero.
    List<String> commands() {
        List<String> since = List.copyOf(commands);
        commands.clear();
        return since;
    }

    private static String text(IbUserVerbsCmd command, MemorySegment core) {
        var text = new StringBuilder(command.name());
        for (CStruct.Field field : command.request().fields()) {
            if (field.isNumber() && !field.path().equals("response")) {
                long value = command.request().view(core).get(field.path());
                text.append(value == 0 ? "" : " " + field.path() + "=" + value);
            }
        }
        return text.toString();
    }

    private boolean fails() {
        return untilFailure > 0 && --untilFailure == 0;
    }

    @SuppressWarnings("restricted")
    private static MemorySegment at(long address, long bytes) {
        return MemorySegment.ofAddress(address).reinterpret(bytes);
    }

    @Override
    public int ioctl(MemorySegment command) {
        return -Errno.ENOTTY;
    }

    @Override
    public int write(MemorySegment command) {
        int number = command.get(JAVA_INT, 0);
        int room = command.get(JAVA_SHORT, 6) * 4;
        MemorySegment core = command.asSlice(8);
        if (number == PostSendDoorbell.WRITE.number()) {
            commands.add("POST_SEND");
            return (int) command.byteSize();
        }
        if (fails()) {
            return -Errno.ENOMEM;
        }
        if (number < 0) {
            return -Errno.EOPNOTSUPP;
        }
        IbUserVerbsCmd asked = CommandCatalogue.write(number).orElseThrow();
        commands.add(text(asked, core));
        answer(asked, core, room == 0 ? MemorySegment.NULL : at(core.get(JAVA_LONG, 0), room));
        return (int) command.byteSize();
    }

    private int create(String kind) {
        objects.put(++handles, kind);
        return handles;
    }

    private void answer(IbUserVerbsCmd command, MemorySegment core, MemorySegment answer) {
        switch (command.name()) {
            case "GET_CONTEXT" -> answer.set(JAVA_INT, 4, 1);
            case "QUERY_PORT" -> answer.set(JAVA_INT, 4, (int) longestMessage);
            case "QUERY_DEVICE" -> IbUverbsQueryDeviceResp.STRUCT.view(answer).set("max_srq", sharedReceiveQueues);
            case "QUERY_QP" -> IbUverbsQueryQpResp.STRUCT.view(answer).set("qp_state", reportedState);
            case "QUERY_SRQ" ->
                QuerySharedReceiveQueue.RESPONSE.view(answer).set("max_wr", 8).set("max_sge", 6).set("srq_limit", 3);
            case "REG_MR" -> {
                assertThat(core.get(JAVA_BYTE, command.request().size())).as("stag_key").isZero();
                RegisterMemory.RESPONSE.view(answer).set("mr_handle", 77).set("lkey", 0x500).set("rkey", 0x600);
            }
            case "MODIFY_QP", "MODIFY_SRQ" -> {}
            case "ALLOC_PD" -> answer.set(JAVA_INT, 0, create("PD"));
            case "CREATE_CQ" -> {
                int slots = power(core.get(JAVA_INT, 16));
                completions = new Ring(arena, slots, CQE, 8);
                answer.set(JAVA_INT, 0, create("CQ"));
                answer.set(JAVA_INT, 4, slots);
                answer.set(JAVA_INT, 12, slots);
                answer.set(JAVA_LONG, 16, offer(completions));
            }
            case "CREATE_SRQ" -> {
                receives = new Ring(arena, power(core.get(JAVA_INT, 20)), RQE, 0);
                answer.set(JAVA_INT, 0, create("SRQ"));
                answer.set(JAVA_INT, 4, receives.slots);
                answer.set(JAVA_INT, 8, core.get(JAVA_INT, 24));
                answer.set(JAVA_INT, 16, receives.slots);
                answer.set(JAVA_LONG, 24, offer(receives));
            }
            case "CREATE_QP" -> {
                sends = new Ring(arena, power(core.get(JAVA_INT, 32)), SQE, 0);
                answer.set(JAVA_INT, 0, create("QP"));
                answer.set(JAVA_INT, 4, QUEUE_PAIR);
                answer.set(JAVA_INT, 32, QUEUE_PAIR);
                answer.set(JAVA_INT, 36, sends.slots);
                answer.set(JAVA_LONG, 48, offer(sends));
                boolean shared = core.get(JAVA_BYTE, 54) != 0;
                if (!shared) {
                    receives = new Ring(arena, power(core.get(JAVA_INT, 36)), RQE, 0);
                    answer.set(JAVA_INT, 40, receives.slots);
                    answer.set(JAVA_LONG, 56, offer(receives));
                }
            }
            case "DESTROY_CQ" -> objects.remove(core.get(JAVA_INT, 8));
            case "DESTROY_QP", "DESTROY_SRQ" -> {
                objects.remove(core.get(JAVA_INT, 8));
                answer.set(JAVA_INT, 0, reportedEvents);
            }
            default -> throw new AssertionError(command);
        }
    }

    private static int power(int wanted) {
        return wanted <= 1 ? 1 : Integer.highestOneBit(wanted - 1) << 1;
    }

    private long offer(Ring ring) {
        offers.put(keys, ring);
        keys += 0x1000;
        return keys - 0x1000;
    }

    @Override
    public MemorySegment map(long offset, long length) {
        Ring ring = offers.remove(offset);
        if (ring == null || ring.memory.byteSize() != length) {
            throw new VerbsException("map ring", Errno.EINVAL, "offset=" + offset + " length=" + length);
        }
        if (fails()) {
            throw new VerbsException("map ring", Errno.ENOMEM, "");
        }
        mapped++;
        return ring.memory;
    }

    @Override
    public void unmap(MemorySegment ring) {
        ring.fill((byte) 0);
        mapped--;
    }

    @Override
    public EventFile eventFile(int fileDescriptor) {
        return new NoEvents(fileDescriptor, commands);
    }

    @Override
    public int fileDescriptor() {
        return 3;
    }

    @Override
    public int await(long timeoutNanos) {
        return 0;
    }

    @Override
    public void wake() {}

    @Override
    public ProviderContext context() {
        return context;
    }

    @Override
    public ProviderProtectionDomain domain() {
        return domain;
    }

    @Override
    public int operations() {
        return OpcodeSet.of(
                WorkRequestOpcode.RDMA_WRITE, WorkRequestOpcode.SEND, WorkRequestOpcode.RDMA_READ,
                WorkRequestOpcode.SEND_WITH_INVALIDATE);
    }

    @Override
    public int inlineOperations() {
        return OpcodeSet.of(WorkRequestOpcode.RDMA_WRITE, WorkRequestOpcode.SEND);
    }

    @Override
    public @Nullable ProviderAddressHandle addressHandle() {
        return null;
    }

    @Override
    public int waitingSends() {
        return made(sends).waiting();
    }

    @Override
    public int waitingReceives() {
        return made(receives).waiting();
    }

    /// Reads the oldest element, and returns its slot full of garbage except for the flag.
    private MemorySegment take(Ring ring) {
        MemorySegment slot = ring.slot(ring.next++);
        MemorySegment copy = MemorySegment.ofArray(slot.toArray(JAVA_LONG));
        var junk = new byte[ring.bytes];
        rubbish.nextBytes(junk);
        junk[8] &= ~1;
        slot.copyFrom(MemorySegment.ofArray(junk));
        return copy;
    }

    private void complete(long id, int opcode, int status, int bytes) {
        Ring ring = made(completions);
        MemorySegment slot = ring.slot(ring.next++);
        assertThat(slot.get(JAVA_BYTE, 8) & 1).as("room in the completion ring").isZero();
        slot.set(JAVA_LONG, 0, id);
        slot.set(JAVA_BYTE, 9, (byte) opcode);
        slot.set(JAVA_SHORT, 10, (short) (status == 0 ? 0 : 4));
        slot.set(JAVA_INT, 12, bytes);
        slot.set(JAVA_LONG, 24, QUEUE_PAIR);
        slot.set(JAVA_BYTE, 8, (byte) 1);
    }

    private static List<Element.Buffer> buffers(MemorySegment element, long at) {
        var buffers = new ArrayList<Element.Buffer>();
        for (int i = 0; i < element.get(JAVA_BYTE, 10); i++) {
            long sge = at + 16L * i;
            if (element.get(JAVA_INT, sge + 8) != 0) {
                buffers.add(new Element.Buffer(
                        element.get(JAVA_LONG, sge), element.get(JAVA_INT, sge + 8), element.get(JAVA_INT, sge + 12)));
            }
        }
        return buffers;
    }

    @Override
    public Element takeSend(int status) {
        MemorySegment element = take(made(sends));
        int bits = element.get(JAVA_SHORT, 8);
        int number = element.get(JAVA_BYTE, 11);
        int opcode = OPCODES[number];
        boolean inline = (bits & 2) != 0;
        int key = element.get(JAVA_INT, 12);
        boolean remote = opcode == WorkRequestOpcode.RDMA_WRITE || opcode == WorkRequestOpcode.RDMA_READ;
        byte[] payload = inline ? element.asSlice(40, element.get(JAVA_INT, 32)).toArray(JAVA_BYTE) : new byte[0];
        complete(element.get(JAVA_LONG, 0), number, status, 0);
        return new Element(
                opcode,
                ((bits & 4) != 0 ? SendFlags.SIGNALED : 0) | ((bits & 8) != 0 ? SendFlags.SOLICITED : 0)
                        | ((bits & 16) != 0 ? SendFlags.FENCE : 0),
                opcode == WorkRequestOpcode.SEND_WITH_INVALIDATE ? key : 0,
                remote ? element.get(JAVA_LONG, 16) : 0,
                remote ? key : 0,
                0,
                0,
                0,
                0,
                inline ? List.of() : buffers(element, 24),
                HexFormat.of().formatHex(payload));
    }

    @Override
    public Element takeReceive(int status, int bytes) {
        MemorySegment element = take(made(receives));
        assertThat(element.get(JAVA_SHORT, 8)).as("flags of a receive").isEqualTo((short) 1);
        complete(element.get(JAVA_LONG, 0), 8, status, bytes);
        return Element.receive(buffers(element, 16));
    }

    private List<Ring> rings() {
        return List.of(made(sends), made(receives), made(completions));
    }

    @Override
    public void writeRubbish(Random random) {
        for (Ring ring : rings()) {
            var junk = new byte[(int) ring.memory.byteSize()];
            random.nextBytes(junk);
            ring.memory.copyFrom(MemorySegment.ofArray(junk));
        }
    }

    @Override
    public byte[] memory() {
        var all = new ByteArrayOutputStream();
        rings().forEach(ring -> all.writeBytes(ring.memory.toArray(JAVA_BYTE)));
        return all.toByteArray();
    }

    @Override
    public void checkGuards() {
        rings().forEach(Ring::checkGuards);
    }

    @Override
    public void failCall(int nth) {
        untilFailure = nth;
    }

    @Override
    public boolean hasFailed() {
        return untilFailure == 0;
    }

    @Override
    public List<String> left() {
        var left = new ArrayList<String>();
        objects.forEach((handle, kind) -> left.add(kind + " " + handle));
        left.add(mapped + " mapped rings");
        return left;
    }

    @Override
    public void close() {
        arena.close();
    }

    /// A file on which no event ever arrives.
    private record NoEvents(int fileDescriptor, List<String> log) implements EventFile {
        @Override
        public int read(MemorySegment record) {
            return -Errno.EAGAIN;
        }

        @Override
        public int await(long timeoutNanos) {
            return 0;
        }

        @Override
        public void wake() {}

        @Override
        public void close() {
            log.add("close events");
        }
    }
}
