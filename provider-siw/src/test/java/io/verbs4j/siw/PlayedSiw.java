// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.siw;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;
import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.abi.KernelCall;
import io.verbs4j.abi.KernelSide;
import io.verbs4j.abi.command.Transport;
import io.verbs4j.abi.uapi.CStruct;
import io.verbs4j.abi.uapi.CView;
import io.verbs4j.abi.uapi.RdmaDriver;
import io.verbs4j.spi.ProviderAddressHandle;
import io.verbs4j.spi.ProviderContext;
import io.verbs4j.spi.ProviderProtectionDomain;
import io.verbs4j.spi.kit.Element;
import io.verbs4j.spi.kit.PlayedDevice;
import io.verbs4j.spi.ring.OpcodeSet;
import io.verbs4j.types.Errno;
import io.verbs4j.types.SendFlags;
import io.verbs4j.types.WorkRequestOpcode;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/// siw's kernel side in memory: commands by `write()`, and the rings by the offsets of `siw-abi.h`, which are declared
/// here independently.
final class PlayedSiw extends KernelSide implements PlayedDevice {
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
    private final Random rubbish = new Random(5);
    private final long longestMessage;
    private final int sharedReceiveQueues;
    private @Nullable ProviderContext context;
    private @Nullable ProviderProtectionDomain domain;
    private @Nullable Ring sends;
    private @Nullable Ring receives;
    private @Nullable Ring completions;

    /// The state that the kernel reports of the queue pair.
    int reportedState;

    /// The events that the kernel reports of a destroyed queue pair or shared receive queue.
    int reportedEvents;

    /// Opens the device.
    PlayedSiw() {
        this(0xffff_ffffL, 0);
        open();
    }

    /// Does not open the device yet.
    PlayedSiw(long longestMessage, int sharedReceiveQueues) {
        super(RdmaDriver.SIW);
        this.longestMessage = longestMessage;
        this.sharedReceiveQueues = sharedReceiveQueues;
        hasIoctl = false;
        nextHandle = 1;
    }

    void open() {
        context = new SiwProviderFactory().open(channel(Transport.WRITE));
        domain = context.allocateProtectionDomain();
    }

    private static <T> T made(@Nullable T object) {
        if (object == null) {
            throw new AssertionError("no such object");
        }
        return object;
    }

    /// Returns the commands since the last call: names, and the fields that are not zero.
    List<String> commands() {
        List<String> since = commands.stream().map(PlayedSiw::text).toList();
        commands.clear();
        return since;
    }

    private static String text(KernelCall call) {
        CView request = call.request();
        var text = new StringBuilder(made(call.command).name());
        for (CStruct.Field field : request.struct().fields()) {
            long value = field.isNumber() ? request.get(field.path()) : 0;
            text.append(value == 0 ? "" : " " + field.path() + "=" + value);
        }
        return text.toString();
    }

    @Override
    protected int answer(KernelCall call) {
        if (made(call.command).isExtended()) {
            return -Errno.EOPNOTSUPP;
        }
        MemorySegment driver = call.driverOut;
        int result = track(call);
        switch (call.operation()) {
            case "get context" -> call.response().set("num_comp_vectors", 1);
            case "query port" -> call.response().set("max_msg_sz", longestMessage);
            case "query device" -> call.response().set("max_srq", sharedReceiveQueues);
            case "query queue pair" ->
                call.response()
                        .set("qp_state", reportedState)
                        .set("port_num", 0xff)
                        .set("qkey", 0x6b6b6b6b)
                        .set("timeout", 7);
            case "query shared receive queue" ->
                call.response().set("max_wr", 8).set("max_sge", 6).set("srq_limit", 3);
            case "register memory" -> {
                assertThat(call.driverIn.get(JAVA_BYTE, 0)).as("stag_key").isZero();
                call.response().set("lkey", 0x500).set("rkey", 0x600);
            }
            case "create completion queue" -> {
                completions = new Ring(arena, power(call.get("cqe")), CQE, 8);
                call.response().set("cqe", completions.slots);
                driver.set(JAVA_INT, 4, completions.slots);
                driver.set(JAVA_LONG, 8, offer(completions.memory));
            }
            case "create shared receive queue" -> {
                receives = new Ring(arena, power(call.get("max_wr")), RQE, 0);
                call.response().set("max_wr", receives.slots).set("max_sge", call.get("max_sge"));
                driver.set(JAVA_INT, 0, receives.slots);
                driver.set(JAVA_LONG, 8, offer(receives.memory));
            }
            case "create queue pair" -> {
                sends = new Ring(arena, power(call.get("max_send_wr")), SQE, 0);
                call.response().set("qpn", QUEUE_PAIR);
                driver.set(JAVA_INT, 0, QUEUE_PAIR);
                driver.set(JAVA_INT, 4, sends.slots);
                driver.set(JAVA_LONG, 16, offer(sends.memory));
                if (call.get("is_srq") == 0) {
                    receives = new Ring(arena, power(call.get("max_recv_wr")), RQE, 0);
                    driver.set(JAVA_INT, 8, receives.slots);
                    driver.set(JAVA_LONG, 24, offer(receives.memory));
                }
            }
            case "destroy queue pair", "destroy shared receive queue" ->
                call.response().set("events_reported", reportedEvents);
            case "allocate protection domain", "modify queue pair", "modify shared receive queue",
                    "destroy completion queue", "post send" ->
                {}
            default -> throw new AssertionError(call);
        }
        return result;
    }

    private static int power(long wanted) {
        return wanted <= 1 ? 1 : (int) Long.highestOneBit(wanted - 1) << 1;
    }

    @Override
    public ProviderContext context() {
        return made(context);
    }

    @Override
    public ProviderProtectionDomain domain() {
        return made(domain);
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
        failAny(nth);
    }

    @Override
    public boolean hasFailed() {
        return !failureIsToCome();
    }

    @Override
    public void close() {
        super.close();
        arena.close();
    }
}
