// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.simulator.kernel;

import io.verbs4j.abi.uapi.CView;
import io.verbs4j.abi.uapi.IbUserVerbsCmd;
import io.verbs4j.abi.uapi.IbUverbsDestroyCqResp;
import io.verbs4j.simulator.rxe.Ring;
import io.verbs4j.types.Errno;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Runs commands, by the objects that they are about.
final class Commands {
    /// Completion vectors of a device.
    static final int VECTORS = Math.max(2, Runtime.getRuntime().availableProcessors());

    private static final int RING_BYTES = 16;

    private final QueryCommands queries;
    private final MemoryCommands memory;
    private final CompletionCommands completions;
    private final ReceiveCommands receives;
    private final QueuePairCommands queuePairs;
    private final AddressCommands addresses;
    private final OpenDevice file;

    /// A write command with its parts.
    ///
    /// @param driverIn what the driver gets besides
    /// @param driverOut room for what the driver answers besides
    record Call(
            Arena arena,
            IbUserVerbsCmd command,
            CView request,
            CView answer,
            MemorySegment driverIn,
            MemorySegment driverOut) {}

    Commands(OpenDevice file) {
        this.file = file;
        queries = new QueryCommands(file);
        memory = new MemoryCommands(file);
        completions = new CompletionCommands(file);
        receives = new ReceiveCommands(file);
        addresses = new AddressCommands(file);
        queuePairs = new QueuePairCommands(file, addresses);
    }

    QueryCommands queries() {
        return queries;
    }

    MemoryCommands memory() {
        return memory;
    }

    CompletionCommands completions() {
        return completions;
    }

    ReceiveCommands receives() {
        return receives;
    }

    QueuePairCommands queuePairs() {
        return queuePairs;
    }

    AddressCommands addresses() {
        return addresses;
    }

    /// States where a ring can be mapped (`struct mminfo`).
    static void offer(OpenDevice file, MemorySegment place, Ring ring) {
        Refusal.unless(place.byteSize() >= RING_BYTES, Errno.EINVAL);
        place.set(ValueLayout.JAVA_LONG_UNALIGNED, 0, file.offer(ring));
        place.set(ValueLayout.JAVA_INT_UNALIGNED, Long.BYTES, (int) ring.memory().byteSize());
        place.set(ValueLayout.JAVA_INT_UNALIGNED, Long.BYTES + Integer.BYTES, 0);
    }

    /// Does a write command.
    void run(Call call) {
        CView in = call.request();
        CView out = call.answer();
        switch (call.command()) {
            case QUERY_DEVICE -> queries.device(out);
            case EX_QUERY_DEVICE -> queries.extendedDevice(in, out, call.driverIn());
            case QUERY_PORT -> {
                MemorySegment port = queries.port(call.arena(), in.getInt("port_num"));
                out.memory().copyFrom(port.asSlice(0, out.struct().size()));
            }
            case ALLOC_PD -> out.set("pd_handle", memory.allocate());
            case DEALLOC_PD -> memory.deallocate(in.getInt("pd_handle"));
            case REG_MR -> memory.register(in, out);
            case REREG_MR -> memory.reregister(in, out);
            case DEREG_MR -> memory.deregister(in.getInt("mr_handle"));
            case ALLOC_MW -> memory.allocateWindow(in, out);
            case DEALLOC_MW -> memory.deallocateWindow(in.getInt("mw_handle"));
            case CREATE_AH -> addresses.create(in, out, call.driverOut());
            case DESTROY_AH -> addresses.destroy(in.getInt("ah_handle"));
            case CREATE_COMP_CHANNEL -> out.set("fd", file.makeEventFile().fileDescriptor());
            case CREATE_CQ, EX_CREATE_CQ, RESIZE_CQ, REQ_NOTIFY_CQ, DESTROY_CQ -> completions(call);
            case CREATE_QP -> queuePairs.create(call.arena(), in, out, call.driverIn(), call.driverOut());
            case QUERY_QP -> queuePairs.query(in.getInt("qp_handle"), out);
            case MODIFY_QP -> queuePairs.modify(in, "");
            case EX_MODIFY_QP -> queuePairs.modify(in, "base.");
            case DESTROY_QP ->
                out.set("events_reported", queuePairs.destroy(in.getInt("qp_handle")).asyncEvents);
            case POST_SEND -> {
                queuePairs.ring(in.getInt("qp_handle"));
                out.set("bad_wr", 0);
            }
            case ATTACH_MCAST -> addresses.attach(in);
            case DETACH_MCAST -> addresses.detach(in);
            case CREATE_SRQ -> receives.create(in, out, call.driverOut());
            case MODIFY_SRQ -> receives.modify(in, call.driverIn());
            case QUERY_SRQ -> receives.query(in.getInt("srq_handle"), out);
            case DESTROY_SRQ ->
                out.set("events_reported", receives.destroy(in.getInt("srq_handle")).asyncEvents);
            default -> throw new Refusal(Errno.EOPNOTSUPP);
        }
    }

    private void completions(Call call) {
        CView in = call.request();
        CView out = call.answer();
        switch (call.command()) {
            case CREATE_CQ, EX_CREATE_CQ -> {
                boolean extended = call.command() == IbUserVerbsCmd.EX_CREATE_CQ;
                Refusal.when(extended && in.get("comp_mask") != 0, Errno.EINVAL);
                var created = completions.create(
                        in.getInt("cqe"),
                        in.get("user_handle"),
                        in.getInt("comp_channel"),
                        in.getInt("comp_vector"),
                        extended ? in.getInt("flags") : 0,
                        call.driverOut());
                String base = extended ? "base." : "";
                out.set(base + "cq_handle", created.handle()).set(base + "cqe", created.entries());
                if (extended) {
                    out.set("response_length", out.struct().size());
                }
            }
            case RESIZE_CQ ->
                out.set("cqe", completions.resize(in.getInt("cq_handle"), in.getInt("cqe"), call.driverOut()));
            case REQ_NOTIFY_CQ -> completions.arm(in.getInt("cq_handle"), in.getInt("solicited_only") != 0);
            default -> {
                var queue = completions.destroy(in.getInt("cq_handle"));
                IbUverbsDestroyCqResp.STRUCT
                        .view(out.memory())
                        .set("comp_events_reported", queue.completionEvents)
                        .set("async_events_reported", queue.asyncEvents);
            }
        }
    }

    /// Destroys an object whatever uses it: its file is closed.
    void drop(KernelObject object) {
        switch (object) {
            case KernelObject.Pair pair -> queuePairs.drop(pair);
            case KernelObject.Receives receive -> file.node().rxe().remove(receive.queue());
            case KernelObject.Memory region -> file.node().rxe().remove(region.region);
            case KernelObject.MemoryWindow window -> file.node().rxe().remove(window.window);
            case KernelObject.AddressHandle handle -> file.node().rxe().remove(handle.handle);
            default -> {}
        }
    }
}
