// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.simulator.kernel;

import static io.verbs4j.abi.uapi.UverbsAttribute.UHW_IN;
import static io.verbs4j.abi.uapi.UverbsAttribute.UHW_OUT;

import io.verbs4j.abi.catalogue.IoctlEnvelope;
import io.verbs4j.abi.command.InvokeWrite;
import io.verbs4j.abi.completion.CreateCompletionQueue;
import io.verbs4j.abi.completion.DestroyCompletionQueue;
import io.verbs4j.abi.context.GetContext;
import io.verbs4j.abi.context.QueryGidEntry;
import io.verbs4j.abi.context.QueryGidTable;
import io.verbs4j.abi.context.QueryPort;
import io.verbs4j.abi.datagram.DestroyAddressHandle;
import io.verbs4j.abi.memory.AdviseMemory;
import io.verbs4j.abi.memory.DeallocateMemoryWindow;
import io.verbs4j.abi.memory.DeallocateProtectionDomain;
import io.verbs4j.abi.memory.DeregisterMemory;
import io.verbs4j.abi.memory.QueryMemory;
import io.verbs4j.abi.queuepair.CreateQueuePair;
import io.verbs4j.abi.queuepair.DestroyQueuePair;
import io.verbs4j.abi.sharedreceive.CreateSharedReceiveQueue;
import io.verbs4j.abi.sharedreceive.DestroySharedReceiveQueue;
import io.verbs4j.abi.uapi.RdmaDriver;
import io.verbs4j.abi.uapi.UverbsMethod;
import io.verbs4j.types.Errno;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// The ioctl interface (`ib_uverbs_cmd_verbs`, uverbs_ioctl.c): methods of objects with their attributes.
final class IoctlCommands {
    private static final int MAX_BYTES = 4096;
    private static final int KNOWN_COMMAND_BITS = 0x8000_00ff;

    private final OpenDevice file;
    private final Commands commands;
    private final WriteCommands writes;

    IoctlCommands(OpenDevice file, Commands commands, WriteCommands writes) {
        this.file = file;
        this.commands = commands;
        this.writes = writes;
    }

    void run(Arena arena, MemorySegment command) {
        var envelope = IoctlEnvelope.of(command);
        Refusal.unless(envelope.length() <= MAX_BYTES && envelope.hasRightLength(), Errno.EINVAL);
        Refusal.unless(envelope.hasCleanHead(), Errno.EPROTONOSUPPORT);
        UverbsMethod method = envelope.method().orElseThrow(() -> new Refusal(Errno.EPROTONOSUPPORT));
        Refusal.unless(envelope.driverId() == RdmaDriver.RXE, Errno.EINVAL);
        Refusal.when(method == AdviseMemory.METHOD && !commands.memory.pagesOnDemand(), Errno.EPROTONOSUPPORT);
        var arguments = new Arguments(envelope, arena);
        if (method == InvokeWrite.METHOD) {
            invoke(arguments);
            return;
        }
        if (method == GetContext.METHOD) {
            file.makeContext();
            arguments.out32(GetContext.GET_CONTEXT_NUM_COMP_VECTORS, Commands.VECTORS);
            arguments.out64(GetContext.GET_CONTEXT_CORE_SUPPORT, 1);
            return;
        }
        file.requireContext();
        run(method.name(), arguments);
    }

    /// Executes a method, by a switch for the reason in [Commands#run].
    private void run(String method, Arguments in) {
        switch (method) {
            case "ASYNC_EVENT_ALLOC" -> asyncEvents(in);
            case "QUERY_PORT" -> queryPort(in);
            case "QUERY_GID_TABLE" -> queryGidTable(in);
            case "QUERY_GID_ENTRY" -> queryGidEntry(in);
            case "CQ_CREATE" -> createCompletionQueue(in);
            case "SRQ_CREATE" -> createSharedReceiveQueue(in);
            case "QP_CREATE" -> createQueuePair(in);
            case "ADVISE_MR" -> advise(in);
            case "QUERY_MR" -> queryMemory(in);
            case "PD_DESTROY" ->
                commands.memory.deallocate(in.handle(DeallocateProtectionDomain.DESTROY_PD_HANDLE));
            case "AH_DESTROY" -> commands.addresses.destroy(in.handle(DestroyAddressHandle.DESTROY_AH_HANDLE));
            case "MR_DESTROY" -> commands.memory.deregister(in.handle(DeregisterMemory.DESTROY_MR_HANDLE));
            case "MW_DESTROY" ->
                commands.memory.deallocateWindow(in.handle(DeallocateMemoryWindow.DESTROY_MW_HANDLE));
            case "CQ_DESTROY" -> destroyCompletionQueue(in);
            case "QP_DESTROY" -> reported(in.out(DestroyQueuePair.DESTROY_QP_RESP),
                    commands.queuePairs.destroy(in.handle(DestroyQueuePair.DESTROY_QP_HANDLE)));
            case "SRQ_DESTROY" -> reported(in.out(DestroySharedReceiveQueue.DESTROY_SRQ_RESP),
                    commands.receives.destroy(in.handle(DestroySharedReceiveQueue.DESTROY_SRQ_HANDLE)));
            default -> throw new Refusal(Errno.EPROTONOSUPPORT);
        }
    }

    private void asyncEvents(Arguments arguments) {
        arguments.created(GetContext.ASYNC_EVENT_ALLOC_FD_HANDLE, file.makeAsyncFile().fileDescriptor());
    }

    private void queryPort(Arguments arguments) {
        MemorySegment port =
                commands.queries.port(arguments.arena(), (int) arguments.number(QueryPort.QUERY_PORT_PORT_NUM));
        arguments.out(QueryPort.QUERY_PORT_RESP, port, 0);
    }

    private void queryGidTable(Arguments arguments) {
        Refusal.when(
                arguments.has(QueryGidTable.QUERY_GID_TABLE_FLAGS)
                        && arguments.number(QueryGidTable.QUERY_GID_TABLE_FLAGS) != 0,
                Errno.EINVAL);
        int entries = commands.queries.gids(arguments.number(QueryGidTable.QUERY_GID_TABLE_ENTRY_SIZE),
                arguments.out(QueryGidTable.QUERY_GID_TABLE_RESP_ENTRIES));
        arguments.out64(QueryGidTable.QUERY_GID_TABLE_RESP_NUM_ENTRIES, entries);
    }

    private void queryGidEntry(Arguments arguments) {
        Refusal.unless(arguments.number(QueryGidEntry.QUERY_GID_ENTRY_FLAGS) == 0, Errno.EINVAL);
        MemorySegment entry = commands.queries.gid(
                arguments.arena(),
                (int) arguments.number(QueryGidEntry.QUERY_GID_ENTRY_PORT),
                arguments.number(QueryGidEntry.QUERY_GID_ENTRY_GID_INDEX));
        arguments.out(QueryGidEntry.QUERY_GID_ENTRY_RESP_ENTRY, entry, entry.byteSize());
    }

    private void createCompletionQueue(Arguments arguments) {
        MemorySegment driver = arguments.out(UHW_OUT);
        int channel = arguments.has(CreateCompletionQueue.CREATE_CQ_COMP_CHANNEL)
                ? arguments.handle(CreateCompletionQueue.CREATE_CQ_COMP_CHANNEL)
                : -1;
        var created = commands.completions.create(
                arguments.number32(CreateCompletionQueue.CREATE_CQ_CQE),
                arguments.number64(CreateCompletionQueue.CREATE_CQ_USER_HANDLE),
                channel,
                arguments.number32(CreateCompletionQueue.CREATE_CQ_COMP_VECTOR),
                arguments.has(CreateCompletionQueue.CREATE_CQ_FLAGS)
                        ? arguments.number32(CreateCompletionQueue.CREATE_CQ_FLAGS)
                        : 0,
                driver);
        arguments.created(CreateCompletionQueue.CREATE_CQ_HANDLE, created.handle());
        arguments.out32(CreateCompletionQueue.CREATE_CQ_RESP_CQE, created.entries());
    }

    private void createSharedReceiveQueue(Arguments arguments) {
        MemorySegment driver = arguments.out(UHW_OUT);
        Refusal.unless(arguments.number(CreateSharedReceiveQueue.CREATE_SRQ_TYPE) == 0, Errno.EOPNOTSUPP);
        var created = commands.receives.create(
                arguments.handle(CreateSharedReceiveQueue.CREATE_SRQ_PD_HANDLE),
                arguments.number64(CreateSharedReceiveQueue.CREATE_SRQ_USER_HANDLE),
                arguments.number32(CreateSharedReceiveQueue.CREATE_SRQ_MAX_WR),
                arguments.number32(CreateSharedReceiveQueue.CREATE_SRQ_MAX_SGE),
                arguments.number32(CreateSharedReceiveQueue.CREATE_SRQ_LIMIT),
                driver);
        arguments.created(CreateSharedReceiveQueue.CREATE_SRQ_HANDLE, created.handle());
        arguments.out32(CreateSharedReceiveQueue.CREATE_SRQ_RESP_MAX_WR, created.receives());
        arguments.out32(CreateSharedReceiveQueue.CREATE_SRQ_RESP_MAX_SGE, created.elements());
    }

    private void createQueuePair(Arguments arguments) {
        MemorySegment driver = arguments.out(UHW_OUT);
        Refusal.when(arguments.has(UHW_IN), Errno.EINVAL);
        MemorySegment asked = arguments.struct(CreateQueuePair.CREATE_QP_CAP, QueuePairCommands.CAPABILITIES);
        int flags =
                arguments.has(CreateQueuePair.CREATE_QP_FLAGS) ? (int) arguments.number(CreateQueuePair.CREATE_QP_FLAGS)
                        : 0;
        var created = commands.queuePairs.create(
                new QueuePairCommands.Request(
                        arguments.handle(CreateQueuePair.CREATE_QP_PD_HANDLE),
                        arguments.handle(CreateQueuePair.CREATE_QP_SEND_CQ_HANDLE),
                        arguments.handle(CreateQueuePair.CREATE_QP_RECV_CQ_HANDLE),
                        arguments.has(CreateQueuePair.CREATE_QP_SRQ_HANDLE)
                                ? arguments.handle(CreateQueuePair.CREATE_QP_SRQ_HANDLE)
                                : null,
                        arguments.number64(CreateQueuePair.CREATE_QP_USER_HANDLE),
                        (int) arguments.number(CreateQueuePair.CREATE_QP_TYPE),
                        flags),
                asked,
                driver);
        arguments.created(CreateQueuePair.CREATE_QP_HANDLE, created.handle());
        arguments.out(CreateQueuePair.CREATE_QP_RESP_CAP,
                commands.queuePairs.capabilities(arguments.arena(), created, asked), 0);
        arguments.out32(CreateQueuePair.CREATE_QP_RESP_QP_NUM, created.pair().queuePair().number());
    }

    private void advise(Arguments arguments) {
        commands.memory.advise(
                arguments.handle(AdviseMemory.ADVISE_MR_PD_HANDLE),
                (int) arguments.number(AdviseMemory.ADVISE_MR_ADVICE),
                arguments.number32(AdviseMemory.ADVISE_MR_FLAGS),
                arguments.in(AdviseMemory.ADVISE_MR_SGE_LIST, 1));
    }

    private void queryMemory(Arguments arguments) {
        var region = commands.memory.region(arguments.handle(QueryMemory.QUERY_MR_HANDLE));
        arguments.out32(QueryMemory.QUERY_MR_RESP_LKEY, region.key());
        arguments.out32(QueryMemory.QUERY_MR_RESP_RKEY, region.key());
        arguments.out64(QueryMemory.QUERY_MR_RESP_LENGTH, region.length());
        arguments.out64(QueryMemory.QUERY_MR_RESP_IOVA, region.iova());
    }

    private void destroyCompletionQueue(Arguments arguments) {
        KernelObject.Completions queue =
                commands.completions.destroy(arguments.handle(DestroyCompletionQueue.DESTROY_CQ_HANDLE));
        MemorySegment answer = arguments.out(DestroyCompletionQueue.DESTROY_CQ_RESP);
        if (answer.byteSize() >= DestroyCompletionQueue.RESPONSE.size()) {
            DestroyCompletionQueue.RESPONSE
                    .view(answer)
                    .set("comp_events_reported", queue.completionEvents)
                    .set("async_events_reported", queue.asyncEvents);
        }
    }

    private static void reported(MemorySegment answer, KernelObject.Source source) {
        if (answer.byteSize() >= Integer.BYTES) {
            answer.set(ValueLayout.JAVA_INT_UNALIGNED, 0, source.asyncEvents);
        }
    }

    /// Executes a write command inside an ioctl.
    private void invoke(Arguments arguments) {
        int number = (int) arguments.number(InvokeWrite.WRITE_CMD);
        Refusal.when((number & ~KNOWN_COMMAND_BITS) != 0, Errno.EINVAL);
        writes.run(
                number,
                arguments.arena(),
                arguments.in(InvokeWrite.CORE_IN, 0),
                arguments.out(InvokeWrite.CORE_OUT),
                arguments.in(UHW_IN, 0),
                arguments.out(UHW_OUT));
    }
}
