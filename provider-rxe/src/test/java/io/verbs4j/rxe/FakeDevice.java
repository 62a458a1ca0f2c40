// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.rxe;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import io.verbs4j.abi.device.DeviceFile;
import io.verbs4j.abi.device.EventFile;
import io.verbs4j.abi.uapi.CView;
import io.verbs4j.abi.uapi.IbUserVerbsCmd;
import io.verbs4j.abi.uapi.IbUverbsExQueryDeviceResp;
import io.verbs4j.abi.uapi.IbUverbsModifyQp;
import io.verbs4j.abi.uapi.IbUverbsQueryQpResp;
import io.verbs4j.abi.uapi.UverbsMethod;
import io.verbs4j.types.Errno;
import io.verbs4j.types.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// A device file behind which objects can be made, mapped, resized and ended as `rdma_rxe` does it, and which otherwise
/// says yes. It notes what happens in [#log()], can fail any of it, and knows what is still there.
///
/// Work requests are completed by [FakeKernel], at each doorbell, once [#completeAtDoorbell()] was called; otherwise by
/// the test.
public final class FakeDevice implements DeviceFile {
    /// `RDMA_DRIVER_RXE`.
    public static final int DRIVER_ID = 14;

    static final int QUEUE_PAIR_NUMBER = 17;
    static final int MAX_MESSAGE = 8 << 20;
    static final int MTU = 1024;

    private static final int UHW_IN = 0x1000;
    private static final int UHW_OUT = 0x1001;
    private static final int CORE_IN = 0;
    private static final int CORE_OUT = 1;
    private static final int WRITE_COMMAND = 2;
    private static final int CREATE_CQ_USER_HANDLE = 2;
    private static final int CREATE_CQ_COMP_CHANNEL = 3;
    private static final int CREATE_QP_SRQ_HANDLE = 3;

    private static final int SRQ_MAX_WR = 1;

    /// Geometry of the rings that are offered from now on.
    record Shape(int slots, int shift, int start) {}

    private final Arena memory = Arena.ofShared();
    private final List<String> log = new ArrayList<>();
    private final Map<Long, FakeRing> offers = new HashMap<>();
    private final Map<String, FakeRing> rings = new HashMap<>();
    private final Map<String, Shape> shapes = new HashMap<>(Map.of(
            "CQ", new Shape(8, 7, 5), "SRQ", new Shape(8, 6, 5), "RQ", new Shape(8, 6, 0), "SQ", new Shape(16, 8, 0)));
    private final Map<String, Integer> failures = new HashMap<>();
    /// The objects that are alive, by handle: handles are never given twice here.
    private final Map<Integer, String> objects = new TreeMap<>();
    private final Map<Integer, FakeEvents> events = new HashMap<>();
    /// Memberships in multicast groups, by name and the queue pair's handle.
    private final Map<String, Integer> memberships = new TreeMap<>();
    private final Map<String, Runnable> afterwards = new HashMap<>();
    private String last = "";
    private long nextOffset = 0x1000;
    private int nextHandle;
    private int nextFile = 1000;
    private int mapped;
    private boolean nonsense;
    private boolean completing;
    private boolean closed;
    private boolean gone;
    private boolean eventsWait;
    private int sendElements = 2;
    private int inlineBytes = 32;
    private int receiveElements = 1;
    private int queuePairState;
    private long queueUserHandle;
    private @Nullable FakeEvents armed;
    private @Nullable FakeEvents channelOfQueue;

    /// Returns what happened: `create CQ`, `map`, `unmap`, `destroy CQ`, `doorbell`, `command 26`, …
    public List<String> log() {
        return log;
    }

    /// Returns what is left: objects with their handles, open files, mapped rings.
    public List<String> left() {
        var left = new ArrayList<String>();
        objects.forEach((handle, kind) -> left.add(kind + " " + handle));
        left.addAll(memberships.keySet());
        events.values().stream().filter(file -> !file.closed).forEach(file -> left.add("file " + file.number));
        if (mapped != 0) {
            left.add(mapped + " mapped rings");
        }
        if (!closed) {
            left.add("the device");
        }
        return left;
    }

    /// From now on each doorbell completes what waits in the send ring.
    public void completeAtDoorbell() {
        completing = true;
    }

    /// Lets the n-th occurrence of an event from now on fail.
    ///
    /// @param nth 1 for the next
    void fail(String event, int nth) {
        failures.put(event, nth);
    }

    /// Does something once, when an event has happened and its caller does not know yet.
    public void after(String event, Runnable action) {
        afterwards.put(event, action);
    }

    /// Lets threads that wait at channels made from now on sleep until another thread brings an event.
    public void letEventsWait() {
        eventsWait = true;
    }

    /// Lets headers of rings that are made from now on say nonsense.
    void writeNonsense() {
        nonsense = true;
    }

    /// Geometry of the next ring of a kind.
    void shape(String kind, int slots, int shift, int start) {
        shapes.put(kind, new Shape(slots, shift, start));
    }

    /// Sets what queues made from now on can hold.
    void limits(int maxSendElements, int maxInlineBytes, int maxReceiveElements) {
        sendElements = maxSendElements;
        inlineBytes = maxInlineBytes;
        receiveElements = maxReceiveElements;
    }

    /// Takes the device away: the kernel answers every command so from now on, and has destroyed all objects.
    public void remove() {
        gone = true;
        objects.clear();
        memberships.clear();
    }

    /// The kernel's end of the ring that was made last: `CQ`, `SQ`, `RQ` or `SRQ`.
    FakeRing ring(String kind) {
        return Objects.requireNonNull(rings.get(kind), kind);
    }

    private boolean happens(String event) {
        last = event;
        Integer left = failures.computeIfPresent(event, (key, value) -> value - 1);
        if (left != null && left == 0) {
            failures.remove(event);
            log.add(event + " fails");
            return false;
        }
        log.add(event);
        return true;
    }

    @Override
    public int ioctl(MemorySegment command) {
        int result = answer(command);
        Runnable afterward = result == 0 ? afterwards.remove(last) : null;
        if (afterward != null) {
            afterward.run();
        }
        return result;
    }

    private int answer(MemorySegment command) {
        if (closed) {
            return -Errno.EBADF;
        }
        if (gone) {
            return -Errno.EIO;
        }
        var arguments = new Arguments(command);
        UverbsMethod method =
                UverbsMethod.of(command.get(JAVA_SHORT, 2), command.get(JAVA_SHORT, 4)).orElseThrow();
        return switch (method) {
            case INVOKE_WRITE -> invoke(arguments);
            case CQ_CREATE, QP_CREATE, SRQ_CREATE -> create(method.object().name(), arguments);
            case CQ_DESTROY, QP_DESTROY, SRQ_DESTROY, PD_DESTROY, MR_DESTROY, MW_DESTROY, AH_DESTROY ->
                destroy(method.object().name(), arguments);
            case ASYNC_EVENT_ALLOC -> {
                boolean fine = happens("async events");
                arguments.set(0, nextFile++);
                yield fine ? 0 : -Errno.ENOMEM;
            }
            default -> query(method, arguments);
        };
    }

    private int create(String queue, Arguments arguments) {
        if (!happens("create " + queue)) {
            return -Errno.ENOMEM;
        }
        arguments.set(0, made(queue));
        MemorySegment answer = arguments.pointer(UHW_OUT);
        switch (queue) {
            case "CQ" -> {
                queueUserHandle = arguments.value(CREATE_CQ_USER_HANDLE);
                channelOfQueue = arguments.has(CREATE_CQ_COMP_CHANNEL)
                        ? events.get((int) arguments.value(CREATE_CQ_COMP_CHANNEL))
                        : null;
                offer(answer, 0, "CQ", fresh("CQ"));
            }
            case "SRQ" -> {
                arguments.pointer(11).set(JAVA_INT, 0, 7);
                arguments.pointer(12).set(JAVA_INT, 0, receiveElements);
                offer(answer, 0, "SRQ", fresh("SRQ"));
                answer.set(JAVA_INT, 16, 4711);
            }
            default -> {
                MemorySegment capabilities = arguments.pointer(13);
                // The kernel of 6.1 reports the numbers of work requests that were asked for.
                int[] values = {5, 5, sendElements, receiveElements, inlineBytes};
                MemorySegment.copy(values, 0, capabilities, JAVA_INT, 0, values.length);
                arguments.pointer(14).set(JAVA_INT, 0, QUEUE_PAIR_NUMBER);
                queuePairState = 0;
                if (!arguments.has(CREATE_QP_SRQ_HANDLE)) {
                    offer(answer, 0, "RQ", fresh("RQ"));
                }
                offer(answer, 16, "SQ", fresh("SQ"));
            }
        }
        return 0;
    }

    private FakeRing fresh(String kind) {
        Shape shape = Objects.requireNonNull(shapes.get(kind), kind);
        return FakeRing.empty(memory, shape.slots, shape.shift, shape.start);
    }

    private int made(String kind) {
        objects.put(nextHandle, kind);
        return nextHandle++;
    }

    private int destroy(String kind, Arguments arguments) {
        if (!happens("destroy " + kind)) {
            return -Errno.EBUSY;
        }
        if (kind.equals("QP") && memberships.containsValue((int) arguments.value(0))) {
            return -Errno.EBUSY;
        }
        // A test may make up a protection domain.
        return objects.remove((int) arguments.value(0), kind) || kind.equals("PD") ? 0 : -Errno.ENOENT;
    }

    private int query(UverbsMethod method, Arguments arguments) {
        if (!happens("method " + method.id())) {
            return -Errno.EIO;
        }
        switch (method) {
            case GET_CONTEXT -> arguments.pointer(0).set(JAVA_INT, 0, 2);
            case QUERY_PORT -> {
                MemorySegment port = arguments.pointer(1);
                port.set(JAVA_INT, 4, MAX_MESSAGE);
                port.set(JAVA_INT, 16, 1); // gid_tbl_len
                port.set(JAVA_BYTE, 26, (byte) 4); // state
                port.set(JAVA_BYTE, 27, (byte) 5); // max_mtu
                port.set(JAVA_BYTE, 28, (byte) 3); // active_mtu
            }
            case QUERY_GID_TABLE -> {
                gid(arguments.pointer(2));
                arguments.pointer(3).set(JAVA_LONG, 0, 1);
            }
            case QUERY_GID_ENTRY -> gid(arguments.pointer(3));
            default -> {}
        }
        return 0;
    }

    /// `::ffff:10.9.0.1`, RoCE v2, on port 1 at index 0.
    private static void gid(MemorySegment entry) {
        byte[] gid = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1, -1, 10, 9, 0, 1};
        MemorySegment.copy(gid, 0, entry, JAVA_BYTE, 0, gid.length);
        entry.set(JAVA_INT, 20, 1);
        entry.set(JAVA_INT, 24, 2);
    }

    /// A write command inside an ioctl.
    private int invoke(Arguments arguments) {
        int number = (int) arguments.value(WRITE_COMMAND);
        if (!arguments.has(CORE_IN)) {
            return -Errno.ENOSPC;
        }
        if (!happens("command " + (number & 0xff))) {
            return -Errno.ENOMEM;
        }
        MemorySegment request = arguments.input(CORE_IN);
        MemorySegment answer = arguments.has(CORE_OUT) ? arguments.pointer(CORE_OUT) : MemorySegment.NULL;
        switch (IbUserVerbsCmd.of(number).orElseThrow()) {
            case EX_QUERY_DEVICE -> device(IbUverbsExQueryDeviceResp.STRUCT.view(answer));
            case ALLOC_PD -> answer.set(JAVA_INT, 0, made("PD"));
            case REG_MR -> keys(answer, "MR", 2);
            case REREG_MR -> {
                return reregister(request.get(JAVA_INT, 8), answer);
            }
            case ALLOC_MW -> keys(answer, "MW", 1);
            case CREATE_AH -> {
                answer.set(JAVA_INT, 0, made("AH"));
                arguments.pointer(UHW_OUT).set(JAVA_INT, 0, 1);
            }
            case CREATE_COMP_CHANNEL -> answer.set(JAVA_INT, 0, nextFile++);
            case QUERY_QP -> IbUverbsQueryQpResp.STRUCT.view(answer).set("qp_state", queuePairState);
            case MODIFY_QP -> note(IbUverbsModifyQp.STRUCT.view(request));
            case EX_MODIFY_QP -> note(IbUverbsModifyQp.STRUCT.view(
                    request.asSlice(0, IbUverbsModifyQp.STRUCT.size())));
            case RESIZE_CQ -> {
                return resize("CQ", request.get(JAVA_INT, 12), arguments.pointer(UHW_OUT));
            }
            case MODIFY_SRQ -> {
                if ((request.get(JAVA_INT, 4) & SRQ_MAX_WR) != 0) {
                    // 8 bytes travel in the attribute itself; they are the address of the answer's place.
                    return resize("SRQ", request.get(JAVA_INT, 8), at(arguments.value(UHW_IN), 16));
                }
            }
            case ATTACH_MCAST -> memberships.put(membership(request), request.get(JAVA_INT, 16));
            case DETACH_MCAST -> {
                return memberships.remove(membership(request)) == null ? -Errno.EINVAL : 0;
            }
            case QUERY_SRQ -> {}
            default -> {
                return -Errno.EOPNOTSUPP;
            }
        }
        return 0;
    }

    private void note(CView request) {
        if ((request.get("attr_mask") & 1) != 0) {
            queuePairState = request.getInt("qp_state");
        }
    }

    /// The name of a queue pair's membership in a group (`struct ib_uverbs_attach_mcast`).
    private static String membership(MemorySegment request) {
        String group = HexFormat.of().formatHex(request.asSlice(0, 16).toArray(JAVA_BYTE));
        return "membership of QP " + request.get(JAVA_INT, 16) + " in " + group;
    }

    private int reregister(int handle, MemorySegment answer) {
        if (!"MR".equals(objects.get(handle))) {
            return -Errno.ENOENT;
        }
        answer.set(JAVA_INT, 0, 0x100 * handle + 1);
        answer.set(JAVA_INT, 4, 0x100 * handle + 1);
        return 0;
    }

    private void keys(MemorySegment answer, String kind, int keys) {
        answer.set(JAVA_INT, 0, made(kind));
        for (int i = 1; i <= keys; i++) {
            answer.set(JAVA_INT, 4L * i, 0x100 * nextHandle);
        }
    }

    private static void device(CView answer) {
        answer.set("response_length", IbUverbsExQueryDeviceResp.STRUCT.size())
                .set("device_cap_flags_ex", Rings.ALL_CAPABILITIES)
                .set("odp_caps.general_caps", 1)
                .set("base.phys_port_cnt", 1);
        for (String limit : List.of(
                "max_mr_size", "max_qp", "max_qp_wr", "max_sge", "max_sge_rd", "max_cq", "max_cqe", "max_mr", "max_pd",
                "max_qp_rd_atom", "max_qp_init_rd_atom", "atomic_cap", "max_mw", "max_mcast_grp", "max_ah", "max_srq",
                "max_srq_wr", "max_srq_sge")) {
            answer.set("base." + limit, limit.endsWith("sge") ? 32 : limit.equals("atomic_cap") ? 1 : 1 << 15);
        }
    }

    /// Makes another ring, large enough for that many elements and those that wait, or refuses (`rxe_queue_resize`).
    private int resize(String kind, int elements, MemorySegment answer) {
        FakeRing former = ring(kind);
        boolean producing = kind.equals("CQ");
        if (elements < former.used(producing)) {
            return -Errno.EINVAL;
        }
        offer(answer, 0, kind, former.resize(memory, Integer.highestOneBit(elements) << 1, producing));
        return 0;
    }

    private void offer(MemorySegment answer, long at, String kind, FakeRing ring) {
        if (nonsense) {
            ring.memory().set(JAVA_INT, FakeRing.INDEX_MASK, 6);
        }
        answer.set(JAVA_LONG, at, nextOffset);
        answer.set(JAVA_INT, at + 8, (int) ring.memory().byteSize());
        offers.put(nextOffset, ring);
        rings.put(kind, ring);
        nextOffset += 0x1000;
    }

    /// The arguments of an ioctl command, by their ids: 16 bytes each behind a head of 24, with id, length and value at
    /// 0, 2 and 8.
    private static final class Arguments {
        private final MemorySegment command;
        private final Map<Integer, Long> places = new HashMap<>();

        Arguments(MemorySegment command) {
            this.command = command;
            for (int i = 0; i < command.get(JAVA_SHORT, 6); i++) {
                long place = 24 + 16L * i;
                places.put(command.get(JAVA_SHORT, place) & 0xffff, place);
            }
        }

        boolean has(int id) {
            return places.containsKey(id);
        }

        long value(int id) {
            return command.get(JAVA_LONG, place(id) + 8);
        }

        void set(int id, long value) {
            command.set(JAVA_LONG, place(id) + 8, value);
        }

        MemorySegment pointer(int id) {
            return at(value(id), length(id));
        }

        /// A payload, which lies in the argument itself if it has up to 8 bytes.
        MemorySegment input(int id) {
            return length(id) <= Long.BYTES ? command.asSlice(place(id) + 8, length(id)) : pointer(id);
        }

        private int length(int id) {
            return command.get(JAVA_SHORT, place(id) + 2) & 0xffff;
        }

        private long place(int id) {
            return Objects.requireNonNull(places.get(id), () -> "argument " + id);
        }
    }

    @SuppressWarnings("restricted")
    private static MemorySegment at(long address, long bytes) {
        return MemorySegment.ofAddress(address).reinterpret(bytes);
    }

    @Override
    public int write(MemorySegment command) {
        if (closed) {
            return -Errno.EBADF;
        }
        if (gone) {
            return -Errno.EIO;
        }
        if (command.get(JAVA_INT, 0) == IbUserVerbsCmd.REQ_NOTIFY_CQ.number()) {
            armed = channelOfQueue;
        } else if (command.get(JAVA_INT, 0) != IbUserVerbsCmd.POST_SEND.number()) {
            return -Errno.EOPNOTSUPP;
        } else if (!happens("doorbell")) {
            return -Errno.EINVAL;
        } else {
            ring();
        }
        return (int) command.byteSize();
    }

    private void ring() {
        if (completing) {
            FakeKernel kernel = FakeKernel.sender(ring("SQ"), ring("CQ"), QUEUE_PAIR_NUMBER);
            while (kernel.step()) {
                announce();
            }
        }
    }

    private void announce() {
        FakeEvents channel = armed;
        if (channel != null) {
            armed = null;
            channel.add(queueUserHandle);
        }
    }

    @Override
    public MemorySegment map(long offset, long length) {
        FakeRing ring = offers.remove(offset);
        if (ring == null || ring.memory().byteSize() != length) {
            throw new VerbsException("map ring", Errno.EINVAL, "");
        }
        if (!happens("map")) {
            throw new VerbsException("map ring", Errno.ENOMEM, "");
        }
        mapped++;
        return ring.memory();
    }

    @Override
    public void unmap(MemorySegment ring) {
        if (!happens("unmap")) {
            throw new VerbsException("unmap ring", Errno.ENOMEM, "");
        }
        ring.fill((byte) 0);
        mapped--;
    }

    @Override
    public int fileDescriptor() {
        throw new UnsupportedOperationException();
    }

    @Override
    public int await(long timeoutNanos) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void wake() {
        throw new UnsupportedOperationException();
    }

    @Override
    public EventFile eventFile(int fileDescriptor) {
        var file = new FakeEvents(fileDescriptor, eventsWait, () -> log.add("close events"));
        events.put(fileDescriptor, file);
        return file;
    }

    @Override
    public void close() {
        closed = true;
    }

    /// Frees the memory, which outlives the closed device as a mapping outlives a file.
    public void free() {
        closed = true;
        memory.close();
    }

    /// A file of events; where none wait, what is not there at once will never come.
    private static final class FakeEvents implements EventFile {
        private final int number;
        private final boolean waits;
        private final Runnable onClose;
        private final Deque<Long> records = new ArrayDeque<>();
        private int wakes;
        private boolean closed;

        FakeEvents(int number, boolean waits, Runnable onClose) {
            this.number = number;
            this.waits = waits;
            this.onClose = onClose;
        }

        synchronized void add(long userHandle) {
            records.add(userHandle);
            notifyAll();
        }

        @Override
        public int fileDescriptor() {
            return number;
        }

        @Override
        public synchronized int await(long timeoutNanos) {
            long deadline = System.nanoTime() + timeoutNanos;
            int before = wakes;
            long left = timeoutNanos;
            while (waits && records.isEmpty() && !closed && wakes == before && left > 0) {
                try {
                    TimeUnit.NANOSECONDS.timedWait(this, left);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    return -Errno.EINTR;
                }
                left = deadline - System.nanoTime();
            }
            return closed ? -Errno.EBADF : !records.isEmpty() ? 1 : wakes != before ? -Errno.EINTR : 0;
        }

        @Override
        public synchronized int read(MemorySegment record) {
            if (closed) {
                return -Errno.EBADF;
            }
            Long next = records.poll();
            if (next == null) {
                return -Errno.EAGAIN;
            }
            record.set(JAVA_LONG, 0, next);
            return Long.BYTES;
        }

        @Override
        public synchronized void wake() {
            wakes++;
            notifyAll();
        }

        @Override
        public synchronized void close() {
            if (!closed) {
                closed = true;
                onClose.run();
                notifyAll();
            }
        }
    }
}
