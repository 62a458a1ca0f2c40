// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.rxe;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.verbs4j.abi.KernelCall;
import io.verbs4j.abi.KernelEvents;
import io.verbs4j.abi.KernelSide;
import io.verbs4j.abi.command.CommandEncoding;
import io.verbs4j.abi.command.Transport;
import io.verbs4j.abi.completion.CreateCompletionQueue;
import io.verbs4j.abi.completion.RequestNotification;
import io.verbs4j.abi.context.GetContext;
import io.verbs4j.abi.context.QueryDevice;
import io.verbs4j.abi.context.QueryGidEntry;
import io.verbs4j.abi.context.QueryGidTable;
import io.verbs4j.abi.context.QueryPort;
import io.verbs4j.abi.queuepair.CreateQueuePair;
import io.verbs4j.abi.queuepair.ModifyQueuePair;
import io.verbs4j.abi.queuepair.PostSendDoorbell;
import io.verbs4j.abi.sharedreceive.CreateSharedReceiveQueue;
import io.verbs4j.abi.uapi.CView;
import io.verbs4j.abi.uapi.IbUverbsExQueryDeviceResp;
import io.verbs4j.abi.uapi.UverbsObject;
import io.verbs4j.types.DeviceAttributes;
import io.verbs4j.types.Errno;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// A device file that creates, maps, resizes and destroys objects like `rdma_rxe`.
///
/// After [#completeAtDoorbell()], [FakeKernel] completes work requests at each doorbell; otherwise the test does.
public final class FakeDevice extends KernelSide {
    static final int QUEUE_PAIR_NUMBER = 17;
    static final int MAX_MESSAGE = 8 << 20;
    static final int MTU = 1024;
    private byte activeMtu = 3; // that of 1024 bytes

    private static final int SRQ_MAX_WR = 1;

    /// Geometry of the rings that are created from now on.
    record Shape(int slots, int shift, int start) {}

    private final Arena memory = Arena.ofShared();
    private final Map<String, FakeRing> rings = new HashMap<>();
    private final Map<String, Shape> shapes = new HashMap<>(Map.of(
            "CQ", new Shape(8, 7, 5), "SRQ", new Shape(8, 6, 5), "RQ", new Shape(8, 6, 0), "SQ", new Shape(16, 8, 0)));
    /// Memberships in multicast groups, by name and the queue pair's handle.
    private final Map<String, Integer> memberships = new TreeMap<>();
    private boolean nonsense;
    private boolean completing;
    private int sendElements = 2;
    private int inlineBytes = 32;
    private int receiveElements = 1;
    private int queuePairState;
    private long queueUserHandle;
    private @Nullable KernelEvents armed;
    private @Nullable KernelEvents channelOfQueue;

    /// Without any object.
    public FakeDevice() {
        keepsCommands = false;
    }

    @Override
    public List<String> left() {
        List<String> left = super.left();
        left.addAll(memberships.keySet());
        return left;
    }

    /// From now on, each doorbell completes the waiting sends.
    public void completeAtDoorbell() {
        completing = true;
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

    @Override
    public void remove() {
        super.remove();
        memberships.clear();
    }

    /// Returns the kernel's side of the ring that was created last: `CQ`, `SQ`, `RQ` or `SRQ`.
    FakeRing ring(String kind) {
        return Objects.requireNonNull(rings.get(kind), kind);
    }

    @Override
    protected int answer(KernelCall call) {
        String operation = call.operation();
        if (isFallback(call)) {
            return -Errno.EOPNOTSUPP;
        }
        if (operation.equals("destroy queue pair") && memberships.containsValue(call.handle())) {
            return -Errno.EBUSY;
        }
        int result = track(call);
        if (result < 0) {
            return result;
        }
        switch (operation) {
            case "get context" -> {
                if (call.method == GetContext.METHOD) {
                    call.out(GetContext.GET_CONTEXT_NUM_COMP_VECTORS, 2);
                }
            }
            case "query device" -> device(call.response());
            case "query port" -> {
                MemorySegment port = call.memory(QueryPort.QUERY_PORT_RESP);
                port.set(JAVA_INT, 4, MAX_MESSAGE);
                port.set(JAVA_INT, 16, 1); // gid_tbl_len
                port.set(JAVA_BYTE, 26, (byte) 4); // state
                port.set(JAVA_BYTE, 27, (byte) 5); // max_mtu
                port.set(JAVA_BYTE, 28, activeMtu); // active_mtu
            }
            case "query GID table" -> {
                gid(call.memory(QueryGidTable.QUERY_GID_TABLE_RESP_ENTRIES));
                call.out(QueryGidTable.QUERY_GID_TABLE_RESP_NUM_ENTRIES, 1);
            }
            case "query GID entry" -> gid(call.memory(QueryGidEntry.QUERY_GID_ENTRY_RESP_ENTRY));
            case "register memory" -> keys(call, call.handle() + 1, "lkey", "rkey");
            case "reregister memory" -> {
                int handle = (int) call.get("mr_handle");
                if (!exists(UverbsObject.MR, handle)) {
                    return -Errno.ENOENT;
                }
                call.response().set("lkey", 0x100 * handle + 1).set("rkey", 0x100 * handle + 1);
            }
            case "allocate memory window" -> keys(call, call.handle() + 1, "rkey");
            case "create address handle" -> call.driverOut.set(JAVA_INT, 0, 1);
            case "create completion queue" -> {
                queueUserHandle = call.in(CreateCompletionQueue.CREATE_CQ_USER_HANDLE);
                channelOfQueue = call.has(CreateCompletionQueue.CREATE_CQ_COMP_CHANNEL)
                        ? eventFiles.get((int) call.in(CreateCompletionQueue.CREATE_CQ_COMP_CHANNEL))
                        : null;
                offer(call.driverOut, 0, "CQ", fresh("CQ"));
            }
            case "create shared receive queue" -> {
                call.out(CreateSharedReceiveQueue.CREATE_SRQ_RESP_MAX_WR, 7);
                call.out(CreateSharedReceiveQueue.CREATE_SRQ_RESP_MAX_SGE, receiveElements);
                offer(call.driverOut, 0, "SRQ", fresh("SRQ"));
                call.driverOut.set(JAVA_INT, 16, 4711);
            }
            case "create queue pair" -> createQueuePair(call);
            case "query queue pair" -> call.response().set("qp_state", queuePairState);
            case "modify queue pair" -> note(call.request(), call.command == ModifyQueuePair.WRITE ? "" : "base.");
            case "resize completion queue" -> {
                return resize("CQ", (int) call.get("cqe"), call.driverOut);
            }
            case "modify shared receive queue" -> {
                if ((call.get("attr_mask") & SRQ_MAX_WR) != 0) {
                    return resize("SRQ", (int) call.get("max_wr"), at(call.driverIn.get(JAVA_LONG, 0), 16));
                }
            }
            case "request notification" -> {
                if (!exists(UverbsObject.CQ, call.handle())) {
                    return -Errno.EINVAL;
                }
                armed = channelOfQueue;
            }
            case "post send" -> completeSends();
            case "attach multicast" -> memberships.put(membership(call), call.handle());
            case "detach multicast" -> {
                return memberships.remove(membership(call)) == null ? -Errno.EINVAL : 0;
            }
            case "allocate protection domain", "create completion channel", "query shared receive queue" -> {}
            default -> {
                return call.command == null ? 0 : -Errno.EOPNOTSUPP;
            }
        }
        return 0;
    }

    /// Returns whether a command comes in another envelope than the preferred one, which this kernel has.
    private static boolean isFallback(KernelCall call) {
        if (call.command == null) {
            return false;
        }
        boolean written = call.command == RequestNotification.WRITE || call.command == PostSendDoorbell.WRITE;
        return written != (call.transport == Transport.WRITE)
                || call.command == QueryDevice.WRITE
                || call.specification().encodings().getFirst() instanceof CommandEncoding.Method;
    }

    private void createQueuePair(KernelCall call) {
        // The kernel of 6.1 reports the requested numbers of work requests.
        int[] values = {5, 5, sendElements, receiveElements, inlineBytes};
        MemorySegment.copy(values, 0, call.memory(CreateQueuePair.CREATE_QP_RESP_CAP), JAVA_INT, 0, values.length);
        call.out(CreateQueuePair.CREATE_QP_RESP_QP_NUM, QUEUE_PAIR_NUMBER);
        queuePairState = 0;
        if (!call.has(CreateQueuePair.CREATE_QP_SRQ_HANDLE)) {
            offer(call.driverOut, 0, "RQ", fresh("RQ"));
        }
        offer(call.driverOut, 16, "SQ", fresh("SQ"));
    }

    private FakeRing fresh(String kind) {
        Shape shape = Objects.requireNonNull(shapes.get(kind), kind);
        return FakeRing.empty(memory, shape.slots, shape.shift, shape.start);
    }

    /// `::ffff:10.9.0.1`, RoCE v2, on port 1 at index 0.
    private static void gid(MemorySegment entry) {
        byte[] gid = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1, -1, 10, 9, 0, 1};
        MemorySegment.copy(gid, 0, entry, JAVA_BYTE, 0, gid.length);
        entry.set(JAVA_INT, 20, 1);
        entry.set(JAVA_INT, 24, 2);
    }

    private void note(CView request, String prefix) {
        if ((request.get(prefix + "attr_mask") & 1) != 0) {
            queuePairState = request.getInt(prefix + "qp_state");
        }
    }

    /// The name of a queue pair's membership in a group.
    private static String membership(KernelCall call) {
        String group = HexFormat.of().formatHex(call.request().slice("gid").toArray(JAVA_BYTE));
        return "membership of QP " + call.handle() + " in " + group;
    }

    private static void keys(KernelCall call, int number, String... names) {
        for (String name : names) {
            call.response().set(name, 0x100 * number);
        }
    }

    private static void device(CView answer) {
        answer.set("response_length", IbUverbsExQueryDeviceResp.STRUCT.size())
                .set("device_cap_flags_ex", Rings.ALL_CAPABILITIES | DeviceAttributes.MEMORY_WINDOW_TYPE_2B)
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
        answer.set(JAVA_LONG, at, offer(ring.memory()));
        answer.set(JAVA_INT, at + 8, (int) ring.memory().byteSize());
        rings.put(kind, ring);
    }

    private void completeSends() {
        if (completing) {
            FakeKernel kernel = FakeKernel.sender(ring("SQ"), ring("CQ"), QUEUE_PAIR_NUMBER);
            while (kernel.step()) {
                announce();
            }
        }
    }

    /// Raises the event of the queue that is armed, if one is.
    public void announce() {
        KernelEvents channel = armed;
        if (channel != null) {
            armed = null;
            channel.add(queueUserHandle);
        }
    }

    /// Frees the memory, which survives the closed device as a mapping survives a file.
    public void free() {
        close();
        memory.close();
    }
}
