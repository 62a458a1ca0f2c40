// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.rxe;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.verbs4j.abi.catalogue.CommandCatalogue;
import io.verbs4j.abi.catalogue.IoctlEnvelope;
import io.verbs4j.abi.command.InvokeWrite;
import io.verbs4j.abi.completion.CreateCompletionQueue;
import io.verbs4j.abi.completion.RequestNotification;
import io.verbs4j.abi.context.GetContext;
import io.verbs4j.abi.context.QueryGidEntry;
import io.verbs4j.abi.context.QueryGidTable;
import io.verbs4j.abi.context.QueryPort;
import io.verbs4j.abi.device.DeviceFile;
import io.verbs4j.abi.device.EventFile;
import io.verbs4j.abi.queuepair.CreateQueuePair;
import io.verbs4j.abi.queuepair.PostSendDoorbell;
import io.verbs4j.abi.sharedreceive.CreateSharedReceiveQueue;
import io.verbs4j.abi.uapi.CView;
import io.verbs4j.abi.uapi.IbUverbsExQueryDeviceResp;
import io.verbs4j.abi.uapi.IbUverbsModifyQp;
import io.verbs4j.abi.uapi.IbUverbsQueryQpResp;
import io.verbs4j.abi.uapi.UverbsAttribute;
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

/// A device file that creates, maps, resizes and destroys objects like `rdma_rxe`, and accepts all other commands. It
/// records its operations in [#log()], can fail any of them, and tracks the remaining objects.
///
/// After [#completeAtDoorbell()], [FakeKernel] completes work requests at each doorbell; otherwise the test does.
public final class FakeDevice implements DeviceFile {
    /// `RDMA_DRIVER_RXE`.
    public static final int DRIVER_ID = 14;

    static final int QUEUE_PAIR_NUMBER = 17;
    static final int MAX_MESSAGE = 8 << 20;
    static final int MTU = 1024;
    private byte activeMtu = 3; // that of 1024 bytes

    private static final int SRQ_MAX_WR = 1;

    /// Geometry of the rings that are created from now on.
    record Shape(int slots, int shift, int start) {}

    private final Arena memory = Arena.ofShared();
    private final List<String> log = new ArrayList<>();
    private final Map<Long, FakeRing> offers = new HashMap<>();
    private final Map<String, FakeRing> rings = new HashMap<>();
    private final Map<String, Shape> shapes = new HashMap<>(Map.of(
            "CQ", new Shape(8, 7, 5), "SRQ", new Shape(8, 6, 5), "RQ", new Shape(8, 6, 0), "SQ", new Shape(16, 8, 0)));
    private final Map<String, Integer> failures = new HashMap<>();
    /// The existing objects, by handle. Handles are never reused here.
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
    private int untilFailure;
    private long queueUserHandle;
    private @Nullable FakeEvents armed;
    private @Nullable FakeEvents channelOfQueue;

    /// Returns the operations: `create CQ`, `map`, `unmap`, `destroy CQ`, `doorbell`, `command 26`, …
    public List<String> log() {
        return log;
    }

    /// Returns the resources that remain: objects with their handles, open files, mapped rings.
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

    /// From now on, each doorbell completes the waiting sends.
    public void completeAtDoorbell() {
        completing = true;
    }

    /// Makes the n-th occurrence of an event from now on fail.
    ///
    /// @param nth 1 for the next
    void fail(String event, int nth) {
        failures.put(event, nth);
    }

    /// Makes the n-th occurrence of any event from now on fail; 0 for none.
    void failAny(int nth) {
        untilFailure = nth;
    }

    /// Returns whether the failure that [#failAny] scheduled has not occurred yet.
    boolean failureIsToCome() {
        return untilFailure > 0;
    }

    /// Runs an action once, after an event and before its caller continues.
    public void after(String event, Runnable action) {
        afterwards.put(event, action);
    }

    /// Makes threads that wait on channels created from now on sleep until another thread adds an event.
    public void letEventsWait() {
        eventsWait = true;
    }

    /// Sets the port's MTU to one that its interface supports.
    ///
    /// @param code 1 for 256 bytes, each following code for twice as many
    void setActiveMtu(int code) {
        activeMtu = (byte) code;
    }

    /// Writes invalid headers into rings that are created from now on.
    void writeNonsense() {
        nonsense = true;
    }

    /// Geometry of the next ring of a kind.
    void shape(String kind, int slots, int shift, int start) {
        shapes.put(kind, new Shape(slots, shift, start));
    }

    /// Sets the capacities of queues that are created from now on.
    void limits(int maxSendElements, int maxInlineBytes, int maxReceiveElements) {
        sendElements = maxSendElements;
        inlineBytes = maxInlineBytes;
        receiveElements = maxReceiveElements;
    }

    /// Removes the device: from now on, the kernel returns the error of a removed device for every command, and has
    /// destroyed all objects.
    public void remove() {
        gone = true;
        objects.clear();
        memberships.clear();
    }

    /// Returns the kernel's side of the ring that was created last: `CQ`, `SQ`, `RQ` or `SRQ`.
    FakeRing ring(String kind) {
        return Objects.requireNonNull(rings.get(kind), kind);
    }

    private boolean happens(String event) {
        last = event;
        Integer left = failures.computeIfPresent(event, (key, value) -> value - 1);
        if ((left != null && left == 0) || (untilFailure > 0 && --untilFailure == 0)) {
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
        var arguments = new Arguments(IoctlEnvelope.of(command));
        UverbsMethod method = arguments.envelope().method().orElseThrow();
        if (method == InvokeWrite.METHOD) {
            return invoke(arguments);
        }
        if (method == GetContext.ASYNC_EVENT_ALLOC) {
            boolean fine = happens("async events");
            arguments.created(nextFile++);
            return fine ? 0 : -Errno.ENOMEM;
        }
        return switch (CommandCatalogue.of(method).orElseThrow().effect()) {
            case MAKES -> method == GetContext.METHOD
                    ? query(method, arguments)
                    : create(method.object().name(), arguments);
            case DESTROYS -> destroy(method.object().name(), arguments);
            case READS, CHANGES -> query(method, arguments);
        };
    }

    private int create(String queue, Arguments arguments) {
        if (!happens("create " + queue)) {
            return -Errno.ENOMEM;
        }
        arguments.created(made(queue));
        MemorySegment answer = arguments.pointer(UverbsAttribute.UHW_OUT);
        switch (queue) {
            case "CQ" -> {
                queueUserHandle = arguments.value(CreateCompletionQueue.CREATE_CQ_USER_HANDLE);
                channelOfQueue = arguments.has(CreateCompletionQueue.CREATE_CQ_COMP_CHANNEL)
                        ? events.get((int) arguments.value(CreateCompletionQueue.CREATE_CQ_COMP_CHANNEL))
                        : null;
                offer(answer, 0, "CQ", fresh("CQ"));
            }
            case "SRQ" -> {
                arguments.pointer(CreateSharedReceiveQueue.CREATE_SRQ_RESP_MAX_WR).set(JAVA_INT, 0, 7);
                arguments.pointer(CreateSharedReceiveQueue.CREATE_SRQ_RESP_MAX_SGE).set(JAVA_INT, 0, receiveElements);
                offer(answer, 0, "SRQ", fresh("SRQ"));
                answer.set(JAVA_INT, 16, 4711);
            }
            default -> {
                MemorySegment capabilities = arguments.pointer(CreateQueuePair.CREATE_QP_RESP_CAP);
                // The kernel of 6.1 reports the requested numbers of work requests.
                int[] values = {5, 5, sendElements, receiveElements, inlineBytes};
                MemorySegment.copy(values, 0, capabilities, JAVA_INT, 0, values.length);
                arguments.pointer(CreateQueuePair.CREATE_QP_RESP_QP_NUM).set(JAVA_INT, 0, QUEUE_PAIR_NUMBER);
                queuePairState = 0;
                if (!arguments.has(CreateQueuePair.CREATE_QP_SRQ_HANDLE)) {
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
        if (kind.equals("QP") && memberships.containsValue(arguments.destroyed())) {
            return -Errno.EBUSY;
        }
        // A test may use an artificial protection domain.
        return objects.remove(arguments.destroyed(), kind) || kind.equals("PD") ? 0 : -Errno.ENOENT;
    }

    private int query(UverbsMethod method, Arguments arguments) {
        if (!happens("method " + method.id())) {
            return -Errno.EIO;
        }
        if (method == GetContext.METHOD) {
            arguments.pointer(GetContext.GET_CONTEXT_NUM_COMP_VECTORS).set(JAVA_INT, 0, 2);
        } else if (method == QueryPort.METHOD) {
            MemorySegment port = arguments.pointer(QueryPort.QUERY_PORT_RESP);
            port.set(JAVA_INT, 4, MAX_MESSAGE);
            port.set(JAVA_INT, 16, 1); // gid_tbl_len
            port.set(JAVA_BYTE, 26, (byte) 4); // state
            port.set(JAVA_BYTE, 27, (byte) 5); // max_mtu
            port.set(JAVA_BYTE, 28, activeMtu); // active_mtu
        } else if (method == QueryGidTable.METHOD) {
            gid(arguments.pointer(QueryGidTable.QUERY_GID_TABLE_RESP_ENTRIES));
            arguments.pointer(QueryGidTable.QUERY_GID_TABLE_RESP_NUM_ENTRIES).set(JAVA_LONG, 0, 1);
        } else if (method == QueryGidEntry.METHOD) {
            gid(arguments.pointer(QueryGidEntry.QUERY_GID_ENTRY_RESP_ENTRY));
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
        int number = (int) arguments.value(InvokeWrite.WRITE_CMD);
        if (!arguments.has(InvokeWrite.CORE_IN)) {
            return -Errno.ENOSPC;
        }
        if (!happens("command " + (number & 0xff))) {
            return -Errno.ENOMEM;
        }
        MemorySegment request = arguments.input(InvokeWrite.CORE_IN);
        MemorySegment answer =
                arguments.has(InvokeWrite.CORE_OUT) ? arguments.pointer(InvokeWrite.CORE_OUT) : MemorySegment.NULL;
        switch (CommandCatalogue.write(number).orElseThrow().name()) {
            case "EX_QUERY_DEVICE" -> device(IbUverbsExQueryDeviceResp.STRUCT.view(answer));
            case "ALLOC_PD" -> answer.set(JAVA_INT, 0, made("PD"));
            case "REG_MR" -> keys(answer, "MR", 2);
            case "REREG_MR" -> {
                return reregister(request.get(JAVA_INT, 8), answer);
            }
            case "ALLOC_MW" -> keys(answer, "MW", 1);
            case "CREATE_AH" -> {
                answer.set(JAVA_INT, 0, made("AH"));
                arguments.pointer(UverbsAttribute.UHW_OUT).set(JAVA_INT, 0, 1);
            }
            case "CREATE_COMP_CHANNEL" -> answer.set(JAVA_INT, 0, nextFile++);
            case "QUERY_QP" -> IbUverbsQueryQpResp.STRUCT.view(answer).set("qp_state", queuePairState);
            case "MODIFY_QP" -> note(IbUverbsModifyQp.STRUCT.view(request));
            case "EX_MODIFY_QP" -> note(IbUverbsModifyQp.STRUCT.view(
                    request.asSlice(0, IbUverbsModifyQp.STRUCT.size())));
            case "RESIZE_CQ" -> {
                return resize("CQ", request.get(JAVA_INT, 12), arguments.pointer(UverbsAttribute.UHW_OUT));
            }
            case "MODIFY_SRQ" -> {
                if ((request.get(JAVA_INT, 4) & SRQ_MAX_WR) != 0) {
                    // 8 bytes are in the attribute itself; they are the address of the response buffer.
                    return resize("SRQ", request.get(JAVA_INT, 8), at(arguments.value(UverbsAttribute.UHW_IN), 16));
                }
            }
            case "ATTACH_MCAST" -> memberships.put(membership(request), request.get(JAVA_INT, 16));
            case "DETACH_MCAST" -> {
                return memberships.remove(membership(request)) == null ? -Errno.EINVAL : 0;
            }
            case "QUERY_SRQ" -> {}
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

    /// Creates another ring, large enough for the requested elements and the waiting ones, or refuses
    /// (`rxe_queue_resize`).
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

    /// The arguments of an ioctl command.
    private record Arguments(IoctlEnvelope envelope) {
        boolean has(UverbsAttribute attribute) {
            return envelope.argument(attribute).isPresent();
        }

        long value(UverbsAttribute attribute) {
            return of(attribute).data();
        }

        /// Returns the handle of the object to destroy, which is the first argument of every such command.
        int destroyed() {
            return (int) envelope.arguments().getFirst().data();
        }

        /// Writes a new object's handle into the first argument of a command that creates one.
        void created(int number) {
            envelope.arguments().getFirst().create(number);
        }

        MemorySegment pointer(UverbsAttribute attribute) {
            return at(value(attribute), of(attribute).length());
        }

        /// Returns a payload, which is in the argument itself if it has up to 8 bytes.
        MemorySegment input(UverbsAttribute attribute) {
            return of(attribute).isInline() ? of(attribute).inline() : pointer(attribute);
        }

        private IoctlEnvelope.Argument of(UverbsAttribute attribute) {
            return envelope.argument(attribute).orElseThrow(() -> new AssertionError("no " + attribute));
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
        if (command.get(JAVA_INT, 0) == RequestNotification.WRITE.number()) {
            if (!"CQ".equals(objects.get(command.get(JAVA_INT, 8)))) {
                return -Errno.EINVAL;
            }
            armed = channelOfQueue;
        } else if (command.get(JAVA_INT, 0) != PostSendDoorbell.WRITE.number()) {
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

    /// Frees the memory, which survives the closed device as a mapping survives a file.
    public void free() {
        closed = true;
        memory.close();
    }

    /// A file of events. Unless threads wait for events, a missing event never arrives.
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
