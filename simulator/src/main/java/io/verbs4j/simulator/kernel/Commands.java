// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.simulator.kernel;

import io.verbs4j.abi.uapi.CView;
import io.verbs4j.abi.uapi.IbUserVerbsCmd;
import io.verbs4j.simulator.rxe.Ring;
import io.verbs4j.types.Errno;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Executes commands, grouped by their objects.
final class Commands {
    /// Number of completion vectors of a device.
    static final int VECTORS = Math.max(2, Runtime.getRuntime().availableProcessors());

    private static final int RING_BYTES = 16;

    final QueryCommands queries;
    final MemoryCommands memory;
    final CompletionCommands completions;
    final ReceiveCommands receives;
    final QueuePairCommands queuePairs;
    final AddressCommands addresses;
    private final OpenDevice file;

    /// A write command with its parts.
    ///
    /// @param driverIn the driver's part of the request
    /// @param driverOut memory for the driver's part of the response
    record Call(
            Arena arena,
            IbUserVerbsCmd command,
            CView request,
            CView answer,
            MemorySegment driverIn,
            MemorySegment driverOut) {
        /// Returns a numeric field of the request, such as a handle.
        int handle(String field) {
            return request.getInt(field);
        }
    }

    Commands(OpenDevice file) {
        this.file = file;
        queries = new QueryCommands(file);
        memory = new MemoryCommands(file);
        completions = new CompletionCommands(file);
        receives = new ReceiveCommands(file);
        addresses = new AddressCommands(file);
        queuePairs = new QueuePairCommands(file, addresses);
    }

    /// Writes the offset and the size for mapping a ring (`struct mminfo`).
    static void offer(OpenDevice file, MemorySegment place, Ring ring) {
        Refusal.unless(place.byteSize() >= RING_BYTES, Errno.EINVAL);
        place.set(ValueLayout.JAVA_LONG_UNALIGNED, 0, file.offer(ring));
        place.set(ValueLayout.JAVA_INT_UNALIGNED, Long.BYTES, (int) ring.memory().byteSize());
        place.set(ValueLayout.JAVA_INT_UNALIGNED, Long.BYTES + Integer.BYTES, 0);
    }

    /// Executes a write command. This is a switch over names, because in a new JVM, the creation of a lambda for each
    /// command would take a third of the time to open a device.
    void run(Call call) {
        switch (call.command().name()) {
            case "QUERY_DEVICE" -> queries.device(call.answer());
            case "EX_QUERY_DEVICE" -> queries.extendedDevice(call.request(), call.answer(), call.driverIn());
            case "QUERY_PORT" -> {
                MemorySegment port = queries.port(call.arena(), call.handle("port_num"));
                call.answer().memory().copyFrom(port.asSlice(0, call.answer().struct().size()));
            }
            case "ALLOC_PD" -> call.answer().set("pd_handle", memory.allocate());
            case "DEALLOC_PD" -> memory.deallocate(call.handle("pd_handle"));
            case "REG_MR" -> memory.register(call.request(), call.answer());
            case "REREG_MR" -> memory.reregister(call.request(), call.answer());
            case "DEREG_MR" -> memory.deregister(call.handle("mr_handle"));
            case "ALLOC_MW" -> memory.allocateWindow(call.request(), call.answer());
            case "DEALLOC_MW" -> memory.deallocateWindow(call.handle("mw_handle"));
            case "CREATE_AH" -> addresses.create(call.request(), call.answer(), call.driverOut());
            case "DESTROY_AH" -> addresses.destroy(call.handle("ah_handle"));
            case "ATTACH_MCAST" -> addresses.attach(call.request());
            case "DETACH_MCAST" -> addresses.detach(call.request());
            case "CREATE_COMP_CHANNEL" -> call.answer().set("fd", file.makeEventFile().fileDescriptor());
            case "CREATE_CQ" -> createCompletions(call, "", 0);
            case "EX_CREATE_CQ" -> {
                Refusal.when(call.request().get("comp_mask") != 0, Errno.EINVAL);
                createCompletions(call, "base.", call.request().getInt("flags"));
                call.answer().set("response_length", call.answer().struct().size());
            }
            case "RESIZE_CQ" -> call.answer()
                    .set("cqe", completions.resize(
                            call.handle("cq_handle"), call.request().getInt("cqe"), call.driverOut()));
            case "REQ_NOTIFY_CQ" ->
                completions.arm(call.handle("cq_handle"), call.request().getInt("solicited_only") != 0);
            case "DESTROY_CQ" -> {
                var queue = completions.destroy(call.handle("cq_handle"));
                call.answer()
                        .set("comp_events_reported", queue.completionEvents)
                        .set("async_events_reported", queue.asyncEvents);
            }
            case "CREATE_SRQ" -> receives.create(call.request(), call.answer(), call.driverOut());
            case "MODIFY_SRQ" -> receives.modify(call.request(), call.driverIn());
            case "QUERY_SRQ" -> receives.query(call.handle("srq_handle"), call.answer());
            case "DESTROY_SRQ" ->
                call.answer().set("events_reported", receives.destroy(call.handle("srq_handle")).asyncEvents);
            case "CREATE_QP" -> queuePairs.create(
                    call.arena(), call.request(), call.answer(), call.driverIn(), call.driverOut());
            case "QUERY_QP" -> queuePairs.query(call.handle("qp_handle"), call.answer());
            case "MODIFY_QP" -> queuePairs.modify(call.request(), "");
            case "EX_MODIFY_QP" -> queuePairs.modify(call.request(), "base.");
            case "DESTROY_QP" ->
                call.answer().set("events_reported", queuePairs.destroy(call.handle("qp_handle")).asyncEvents);
            case "POST_SEND" -> {
                queuePairs.ring(call.handle("qp_handle"));
                call.answer().set("bad_wr", 0);
            }
            default -> throw new Refusal(Errno.EOPNOTSUPP);
        }
    }

    private void createCompletions(Call call, String base, int flags) {
        CView in = call.request();
        var created = completions.create(
                in.getInt("cqe"),
                in.get("user_handle"),
                in.getInt("comp_channel"),
                in.getInt("comp_vector"),
                flags,
                call.driverOut());
        call.answer().set(base + "cq_handle", created.handle()).set(base + "cqe", created.entries());
    }

    /// Destroys an object even if it is in use, because its file is closed.
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
