// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.simulator.kernel;

import static io.verbs4j.abi.uapi.UverbsAttribute.ADVISE_MR_ADVICE;
import static io.verbs4j.abi.uapi.UverbsAttribute.ADVISE_MR_FLAGS;
import static io.verbs4j.abi.uapi.UverbsAttribute.ADVISE_MR_PD_HANDLE;
import static io.verbs4j.abi.uapi.UverbsAttribute.ADVISE_MR_SGE_LIST;
import static io.verbs4j.abi.uapi.UverbsAttribute.ASYNC_EVENT_ALLOC_FD_HANDLE;
import static io.verbs4j.abi.uapi.UverbsAttribute.CORE_IN;
import static io.verbs4j.abi.uapi.UverbsAttribute.CORE_OUT;
import static io.verbs4j.abi.uapi.UverbsAttribute.CREATE_CQ_COMP_CHANNEL;
import static io.verbs4j.abi.uapi.UverbsAttribute.CREATE_CQ_COMP_VECTOR;
import static io.verbs4j.abi.uapi.UverbsAttribute.CREATE_CQ_CQE;
import static io.verbs4j.abi.uapi.UverbsAttribute.CREATE_CQ_FLAGS;
import static io.verbs4j.abi.uapi.UverbsAttribute.CREATE_CQ_HANDLE;
import static io.verbs4j.abi.uapi.UverbsAttribute.CREATE_CQ_RESP_CQE;
import static io.verbs4j.abi.uapi.UverbsAttribute.CREATE_CQ_USER_HANDLE;
import static io.verbs4j.abi.uapi.UverbsAttribute.CREATE_QP_CAP;
import static io.verbs4j.abi.uapi.UverbsAttribute.CREATE_QP_FLAGS;
import static io.verbs4j.abi.uapi.UverbsAttribute.CREATE_QP_HANDLE;
import static io.verbs4j.abi.uapi.UverbsAttribute.CREATE_QP_PD_HANDLE;
import static io.verbs4j.abi.uapi.UverbsAttribute.CREATE_QP_RECV_CQ_HANDLE;
import static io.verbs4j.abi.uapi.UverbsAttribute.CREATE_QP_RESP_CAP;
import static io.verbs4j.abi.uapi.UverbsAttribute.CREATE_QP_RESP_QP_NUM;
import static io.verbs4j.abi.uapi.UverbsAttribute.CREATE_QP_SEND_CQ_HANDLE;
import static io.verbs4j.abi.uapi.UverbsAttribute.CREATE_QP_SRQ_HANDLE;
import static io.verbs4j.abi.uapi.UverbsAttribute.CREATE_QP_TYPE;
import static io.verbs4j.abi.uapi.UverbsAttribute.CREATE_QP_USER_HANDLE;
import static io.verbs4j.abi.uapi.UverbsAttribute.CREATE_SRQ_HANDLE;
import static io.verbs4j.abi.uapi.UverbsAttribute.CREATE_SRQ_LIMIT;
import static io.verbs4j.abi.uapi.UverbsAttribute.CREATE_SRQ_MAX_SGE;
import static io.verbs4j.abi.uapi.UverbsAttribute.CREATE_SRQ_MAX_WR;
import static io.verbs4j.abi.uapi.UverbsAttribute.CREATE_SRQ_PD_HANDLE;
import static io.verbs4j.abi.uapi.UverbsAttribute.CREATE_SRQ_RESP_MAX_SGE;
import static io.verbs4j.abi.uapi.UverbsAttribute.CREATE_SRQ_RESP_MAX_WR;
import static io.verbs4j.abi.uapi.UverbsAttribute.CREATE_SRQ_TYPE;
import static io.verbs4j.abi.uapi.UverbsAttribute.CREATE_SRQ_USER_HANDLE;
import static io.verbs4j.abi.uapi.UverbsAttribute.DESTROY_AH_HANDLE;
import static io.verbs4j.abi.uapi.UverbsAttribute.DESTROY_CQ_HANDLE;
import static io.verbs4j.abi.uapi.UverbsAttribute.DESTROY_CQ_RESP;
import static io.verbs4j.abi.uapi.UverbsAttribute.DESTROY_MR_HANDLE;
import static io.verbs4j.abi.uapi.UverbsAttribute.DESTROY_MW_HANDLE;
import static io.verbs4j.abi.uapi.UverbsAttribute.DESTROY_PD_HANDLE;
import static io.verbs4j.abi.uapi.UverbsAttribute.DESTROY_QP_HANDLE;
import static io.verbs4j.abi.uapi.UverbsAttribute.DESTROY_QP_RESP;
import static io.verbs4j.abi.uapi.UverbsAttribute.DESTROY_SRQ_HANDLE;
import static io.verbs4j.abi.uapi.UverbsAttribute.DESTROY_SRQ_RESP;
import static io.verbs4j.abi.uapi.UverbsAttribute.GET_CONTEXT_CORE_SUPPORT;
import static io.verbs4j.abi.uapi.UverbsAttribute.GET_CONTEXT_NUM_COMP_VECTORS;
import static io.verbs4j.abi.uapi.UverbsAttribute.QUERY_GID_ENTRY_FLAGS;
import static io.verbs4j.abi.uapi.UverbsAttribute.QUERY_GID_ENTRY_GID_INDEX;
import static io.verbs4j.abi.uapi.UverbsAttribute.QUERY_GID_ENTRY_PORT;
import static io.verbs4j.abi.uapi.UverbsAttribute.QUERY_GID_ENTRY_RESP_ENTRY;
import static io.verbs4j.abi.uapi.UverbsAttribute.QUERY_GID_TABLE_ENTRY_SIZE;
import static io.verbs4j.abi.uapi.UverbsAttribute.QUERY_GID_TABLE_FLAGS;
import static io.verbs4j.abi.uapi.UverbsAttribute.QUERY_GID_TABLE_RESP_ENTRIES;
import static io.verbs4j.abi.uapi.UverbsAttribute.QUERY_GID_TABLE_RESP_NUM_ENTRIES;
import static io.verbs4j.abi.uapi.UverbsAttribute.QUERY_MR_HANDLE;
import static io.verbs4j.abi.uapi.UverbsAttribute.QUERY_MR_RESP_IOVA;
import static io.verbs4j.abi.uapi.UverbsAttribute.QUERY_MR_RESP_LENGTH;
import static io.verbs4j.abi.uapi.UverbsAttribute.QUERY_MR_RESP_LKEY;
import static io.verbs4j.abi.uapi.UverbsAttribute.QUERY_MR_RESP_RKEY;
import static io.verbs4j.abi.uapi.UverbsAttribute.QUERY_PORT_PORT_NUM;
import static io.verbs4j.abi.uapi.UverbsAttribute.QUERY_PORT_RESP;
import static io.verbs4j.abi.uapi.UverbsAttribute.UHW_IN;
import static io.verbs4j.abi.uapi.UverbsAttribute.UHW_OUT;
import static io.verbs4j.abi.uapi.UverbsAttribute.WRITE_CMD;

import io.verbs4j.abi.uapi.IbUverbsDestroyCqResp;
import io.verbs4j.abi.uapi.IbUverbsIoctlHdr;
import io.verbs4j.abi.uapi.RdmaDriver;
import io.verbs4j.abi.uapi.UverbsMethod;
import io.verbs4j.types.Errno;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// The ioctl interface (`ib_uverbs_cmd_verbs`, uverbs_ioctl.c): methods of objects, each with its attributes.
final class IoctlCommands {
    private static final int MOST = 4096;
    private static final int HEAD = IbUverbsIoctlHdr.STRUCT.size();
    private static final int ATTRIBUTE = 16;
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
        var head = IbUverbsIoctlHdr.STRUCT.view(command);
        int length = head.getInt("length");
        int count = head.getInt("num_attrs");
        Refusal.when(
                length > MOST || length != HEAD + count * ATTRIBUTE || length > command.byteSize(), Errno.EINVAL);
        Refusal.when(head.get("reserved1") != 0 || head.get("reserved2") != 0, Errno.EPROTONOSUPPORT);
        UverbsMethod method = UverbsMethod.of(head.getInt("object_id"), head.getInt("method_id"))
                .orElseThrow(() -> new Refusal(Errno.EPROTONOSUPPORT));
        Refusal.unless(head.getInt("driver_id") == RdmaDriver.RXE, Errno.EINVAL);
        Refusal.when(method == UverbsMethod.ADVISE_MR && !commands.memory().pagesOnDemand(), Errno.EPROTONOSUPPORT);
        var arguments = new Arguments(command, method, count);
        if (method == UverbsMethod.INVOKE_WRITE) {
            invoke(arena, arguments);
            return;
        }
        if (method == UverbsMethod.GET_CONTEXT) {
            file.makeContext();
            arguments.out32(GET_CONTEXT_NUM_COMP_VECTORS, Commands.VECTORS);
            arguments.out64(GET_CONTEXT_CORE_SUPPORT, 1);
            return;
        }
        file.requireContext();
        switch (method) {
            case ASYNC_EVENT_ALLOC ->
                arguments.created(ASYNC_EVENT_ALLOC_FD_HANDLE, file.makeAsyncFile().fileDescriptor());
            case QUERY_PORT, QUERY_GID_TABLE, QUERY_GID_ENTRY -> query(arena, method, arguments);
            case CQ_CREATE, QP_CREATE, SRQ_CREATE -> create(arena, method, arguments);
            case QUERY_MR, ADVISE_MR -> memory(arena, method, arguments);
            default -> destroy(method, arguments);
        }
    }

    private void query(Arena arena, UverbsMethod method, Arguments arguments) {
        switch (method) {
            case QUERY_PORT -> arguments.out(QUERY_PORT_RESP,
                    commands.queries().port(arena, (int) arguments.number(QUERY_PORT_PORT_NUM)), 0);
            case QUERY_GID_TABLE -> {
                Refusal.when(arguments.has(QUERY_GID_TABLE_FLAGS) && arguments.number(QUERY_GID_TABLE_FLAGS) != 0,
                        Errno.EINVAL);
                int entries = commands.queries()
                        .gids(
                                arguments.number(QUERY_GID_TABLE_ENTRY_SIZE),
                                arguments.out(QUERY_GID_TABLE_RESP_ENTRIES));
                arguments.out64(QUERY_GID_TABLE_RESP_NUM_ENTRIES, entries);
            }
            default -> {
                Refusal.unless(arguments.number(QUERY_GID_ENTRY_FLAGS) == 0, Errno.EINVAL);
                MemorySegment entry = commands.queries()
                        .gid(
                                arena,
                                (int) arguments.number(QUERY_GID_ENTRY_PORT),
                                arguments.number(QUERY_GID_ENTRY_GID_INDEX));
                arguments.out(QUERY_GID_ENTRY_RESP_ENTRY, entry, entry.byteSize());
            }
        }
    }

    private void create(Arena arena, UverbsMethod method, Arguments arguments) {
        MemorySegment driver = arguments.out(UHW_OUT);
        switch (method) {
            case CQ_CREATE -> {
                int channel = arguments.has(CREATE_CQ_COMP_CHANNEL) ? arguments.handle(CREATE_CQ_COMP_CHANNEL) : -1;
                var created = commands.completions()
                        .create(
                                arguments.number32(CREATE_CQ_CQE),
                                arguments.number64(CREATE_CQ_USER_HANDLE),
                                channel,
                                arguments.number32(CREATE_CQ_COMP_VECTOR),
                                arguments.has(CREATE_CQ_FLAGS) ? arguments.number32(CREATE_CQ_FLAGS) : 0,
                                driver);
                arguments.created(CREATE_CQ_HANDLE, created.handle());
                arguments.out32(CREATE_CQ_RESP_CQE, created.entries());
            }
            case SRQ_CREATE -> {
                Refusal.unless(arguments.number(CREATE_SRQ_TYPE) == 0, Errno.EOPNOTSUPP);
                var created = commands.receives()
                        .create(
                                arguments.handle(CREATE_SRQ_PD_HANDLE),
                                arguments.number64(CREATE_SRQ_USER_HANDLE),
                                arguments.number32(CREATE_SRQ_MAX_WR),
                                arguments.number32(CREATE_SRQ_MAX_SGE),
                                arguments.number32(CREATE_SRQ_LIMIT),
                                driver);
                arguments.created(CREATE_SRQ_HANDLE, created.handle());
                arguments.out32(CREATE_SRQ_RESP_MAX_WR, created.receives());
                arguments.out32(CREATE_SRQ_RESP_MAX_SGE, created.elements());
            }
            default -> {
                Refusal.when(arguments.has(UHW_IN), Errno.EINVAL);
                MemorySegment asked = arguments.in(arena, CREATE_QP_CAP, QueuePairCommands.CAPABILITIES.size());
                int flags = arguments.has(CREATE_QP_FLAGS) ? (int) arguments.number(CREATE_QP_FLAGS) : 0;
                var created = commands.queuePairs()
                        .create(
                                new QueuePairCommands.Wish(
                                        arguments.handle(CREATE_QP_PD_HANDLE),
                                        arguments.handle(CREATE_QP_SEND_CQ_HANDLE),
                                        arguments.handle(CREATE_QP_RECV_CQ_HANDLE),
                                        arguments.has(CREATE_QP_SRQ_HANDLE)
                                                ? arguments.handle(CREATE_QP_SRQ_HANDLE)
                                                : null,
                                        arguments.number64(CREATE_QP_USER_HANDLE),
                                        (int) arguments.number(CREATE_QP_TYPE),
                                        flags),
                                asked,
                                driver);
                arguments.created(CREATE_QP_HANDLE, created.handle());
                arguments.out(CREATE_QP_RESP_CAP, commands.queuePairs().capabilities(arena, created, asked), 0);
                arguments.out32(CREATE_QP_RESP_QP_NUM, created.pair().queuePair().number());
            }
        }
    }

    private void memory(Arena arena, UverbsMethod method, Arguments arguments) {
        if (method == UverbsMethod.ADVISE_MR) {
            commands.memory()
                    .advise(
                            arguments.handle(ADVISE_MR_PD_HANDLE),
                            (int) arguments.number(ADVISE_MR_ADVICE),
                            arguments.number32(ADVISE_MR_FLAGS),
                            arguments.in(arena, ADVISE_MR_SGE_LIST, 1));
            return;
        }
        var region = commands.memory().region(arguments.handle(QUERY_MR_HANDLE));
        arguments.out32(QUERY_MR_RESP_LKEY, region.key());
        arguments.out32(QUERY_MR_RESP_RKEY, region.key());
        arguments.out64(QUERY_MR_RESP_LENGTH, region.length());
        arguments.out64(QUERY_MR_RESP_IOVA, region.iova());
    }

    private void destroy(UverbsMethod method, Arguments arguments) {
        switch (method) {
            case PD_DESTROY -> commands.memory().deallocate(arguments.handle(DESTROY_PD_HANDLE));
            case AH_DESTROY -> commands.addresses().destroy(arguments.handle(DESTROY_AH_HANDLE));
            case MR_DESTROY -> commands.memory().deregister(arguments.handle(DESTROY_MR_HANDLE));
            case MW_DESTROY -> commands.memory().deallocateWindow(arguments.handle(DESTROY_MW_HANDLE));
            case CQ_DESTROY -> {
                KernelObject.Completions queue = commands.completions().destroy(arguments.handle(DESTROY_CQ_HANDLE));
                MemorySegment answer = arguments.out(DESTROY_CQ_RESP);
                if (answer.byteSize() >= IbUverbsDestroyCqResp.STRUCT.size()) {
                    IbUverbsDestroyCqResp.STRUCT
                            .view(answer)
                            .set("comp_events_reported", queue.completionEvents)
                            .set("async_events_reported", queue.asyncEvents);
                }
            }
            case QP_DESTROY ->
                reported(arguments.out(DESTROY_QP_RESP),
                        commands.queuePairs().destroy(arguments.handle(DESTROY_QP_HANDLE)));
            case SRQ_DESTROY ->
                reported(arguments.out(DESTROY_SRQ_RESP),
                        commands.receives().destroy(arguments.handle(DESTROY_SRQ_HANDLE)));
            default -> throw new Refusal(Errno.EPROTONOSUPPORT);
        }
    }

    private static void reported(MemorySegment answer, KernelObject.Source source) {
        if (answer.byteSize() >= Integer.BYTES) {
            answer.set(ValueLayout.JAVA_INT_UNALIGNED, 0, source.asyncEvents);
        }
    }

    /// A write command inside an ioctl.
    private void invoke(Arena arena, Arguments arguments) {
        int number = (int) arguments.number(WRITE_CMD);
        Refusal.when((number & ~KNOWN_COMMAND_BITS) != 0, Errno.EINVAL);
        writes.run(
                number,
                arena,
                arguments.in(arena, CORE_IN, 0),
                arguments.out(CORE_OUT),
                arguments.in(arena, UHW_IN, 0),
                arguments.out(UHW_OUT));
    }
}
