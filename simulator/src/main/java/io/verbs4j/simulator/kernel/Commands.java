// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.simulator.kernel;

import io.verbs4j.abi.completion.CreateCompletionChannel;
import io.verbs4j.abi.completion.CreateCompletionQueue;
import io.verbs4j.abi.completion.DestroyCompletionQueue;
import io.verbs4j.abi.completion.RequestNotification;
import io.verbs4j.abi.completion.ResizeCompletionQueue;
import io.verbs4j.abi.context.QueryDevice;
import io.verbs4j.abi.context.QueryPort;
import io.verbs4j.abi.datagram.AttachMulticast;
import io.verbs4j.abi.datagram.CreateAddressHandle;
import io.verbs4j.abi.datagram.DestroyAddressHandle;
import io.verbs4j.abi.datagram.DetachMulticast;
import io.verbs4j.abi.memory.AllocateMemoryWindow;
import io.verbs4j.abi.memory.AllocateProtectionDomain;
import io.verbs4j.abi.memory.DeallocateMemoryWindow;
import io.verbs4j.abi.memory.DeallocateProtectionDomain;
import io.verbs4j.abi.memory.DeregisterMemory;
import io.verbs4j.abi.memory.RegisterMemory;
import io.verbs4j.abi.memory.ReregisterMemory;
import io.verbs4j.abi.queuepair.CreateQueuePair;
import io.verbs4j.abi.queuepair.DestroyQueuePair;
import io.verbs4j.abi.queuepair.ModifyQueuePair;
import io.verbs4j.abi.queuepair.PostSendDoorbell;
import io.verbs4j.abi.queuepair.QueryQueuePair;
import io.verbs4j.abi.sharedreceive.CreateSharedReceiveQueue;
import io.verbs4j.abi.sharedreceive.DestroySharedReceiveQueue;
import io.verbs4j.abi.sharedreceive.ModifySharedReceiveQueue;
import io.verbs4j.abi.sharedreceive.QuerySharedReceiveQueue;
import io.verbs4j.abi.uapi.CView;
import io.verbs4j.abi.uapi.IbUserVerbsCmd;
import io.verbs4j.simulator.rxe.Ring;
import io.verbs4j.types.Errno;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

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
    private final Map<IbUserVerbsCmd, Consumer<Call>> handlers = new HashMap<>();

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
        answerQueriesAndMemory();
        answerQueues();
        answerQueuePairs();
    }

    /// Writes the offset and the size for mapping a ring (`struct mminfo`).
    static void offer(OpenDevice file, MemorySegment place, Ring ring) {
        Refusal.unless(place.byteSize() >= RING_BYTES, Errno.EINVAL);
        place.set(ValueLayout.JAVA_LONG_UNALIGNED, 0, file.offer(ring));
        place.set(ValueLayout.JAVA_INT_UNALIGNED, Long.BYTES, (int) ring.memory().byteSize());
        place.set(ValueLayout.JAVA_INT_UNALIGNED, Long.BYTES + Integer.BYTES, 0);
    }

    /// Executes a write command.
    void run(Call call) {
        handlers.getOrDefault(call.command(), Commands::refuse).accept(call);
    }

    private static void refuse(Call call) {
        throw new Refusal(Errno.EOPNOTSUPP);
    }

    private void answerQueriesAndMemory() {
        on(QueryDevice.WRITE, call -> queries.device(call.answer()));
        on(QueryDevice.EXTENDED_WRITE,
                call -> queries.extendedDevice(call.request(), call.answer(), call.driverIn()));
        on(QueryPort.WRITE, call -> {
            MemorySegment port = queries.port(call.arena(), call.handle("port_num"));
            call.answer().memory().copyFrom(port.asSlice(0, call.answer().struct().size()));
        });
        on(AllocateProtectionDomain.WRITE, call -> call.answer().set("pd_handle", memory.allocate()));
        on(DeallocateProtectionDomain.WRITE, call -> memory.deallocate(call.handle("pd_handle")));
        on(RegisterMemory.WRITE, call -> memory.register(call.request(), call.answer()));
        on(ReregisterMemory.WRITE, call -> memory.reregister(call.request(), call.answer()));
        on(DeregisterMemory.WRITE, call -> memory.deregister(call.handle("mr_handle")));
        on(AllocateMemoryWindow.WRITE, call -> memory.allocateWindow(call.request(), call.answer()));
        on(DeallocateMemoryWindow.WRITE, call -> memory.deallocateWindow(call.handle("mw_handle")));
        on(CreateAddressHandle.WRITE, call -> addresses.create(call.request(), call.answer(), call.driverOut()));
        on(DestroyAddressHandle.WRITE, call -> addresses.destroy(call.handle("ah_handle")));
        on(AttachMulticast.WRITE, call -> addresses.attach(call.request()));
        on(DetachMulticast.WRITE, call -> addresses.detach(call.request()));
    }

    private void answerQueues() {
        on(CreateCompletionChannel.WRITE, call -> call.answer().set("fd", file.makeEventFile().fileDescriptor()));
        on(CreateCompletionQueue.WRITE, call -> createCompletions(call, "", 0));
        on(CreateCompletionQueue.EXTENDED_WRITE, call -> {
            Refusal.when(call.request().get("comp_mask") != 0, Errno.EINVAL);
            createCompletions(call, "base.", call.request().getInt("flags"));
            call.answer().set("response_length", call.answer().struct().size());
        });
        on(ResizeCompletionQueue.WRITE,
                call -> call.answer()
                        .set("cqe", completions.resize(
                                call.handle("cq_handle"), call.request().getInt("cqe"), call.driverOut())));
        on(RequestNotification.WRITE,
                call -> completions.arm(call.handle("cq_handle"), call.request().getInt("solicited_only") != 0));
        on(DestroyCompletionQueue.WRITE, call -> {
            var queue = completions.destroy(call.handle("cq_handle"));
            call.answer()
                    .set("comp_events_reported", queue.completionEvents)
                    .set("async_events_reported", queue.asyncEvents);
        });
        on(CreateSharedReceiveQueue.WRITE, call -> receives.create(call.request(), call.answer(), call.driverOut()));
        on(ModifySharedReceiveQueue.WRITE, call -> receives.modify(call.request(), call.driverIn()));
        on(QuerySharedReceiveQueue.WRITE, call -> receives.query(call.handle("srq_handle"), call.answer()));
        on(DestroySharedReceiveQueue.WRITE,
                call -> call.answer().set("events_reported", receives.destroy(call.handle("srq_handle")).asyncEvents));
    }

    private void answerQueuePairs() {
        on(CreateQueuePair.WRITE,
                call -> queuePairs.create(
                        call.arena(), call.request(), call.answer(), call.driverIn(), call.driverOut()));
        on(QueryQueuePair.WRITE, call -> queuePairs.query(call.handle("qp_handle"), call.answer()));
        on(ModifyQueuePair.WRITE, call -> queuePairs.modify(call.request(), ""));
        on(ModifyQueuePair.EXTENDED_WRITE, call -> queuePairs.modify(call.request(), "base."));
        on(DestroyQueuePair.WRITE,
                call -> call.answer().set("events_reported", queuePairs.destroy(call.handle("qp_handle")).asyncEvents));
        on(PostSendDoorbell.WRITE, call -> {
            queuePairs.ring(call.handle("qp_handle"));
            call.answer().set("bad_wr", 0);
        });
    }

    private void on(IbUserVerbsCmd command, Consumer<Call> handler) {
        handlers.put(command, handler);
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
