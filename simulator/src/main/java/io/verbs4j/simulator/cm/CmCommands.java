// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.simulator.cm;

import io.verbs4j.abi.catalogue.CommandCatalogue;
import io.verbs4j.abi.cm.CmEventCode;
import io.verbs4j.abi.cm.GetEvent;
import io.verbs4j.abi.cm.QueryAddresses;
import io.verbs4j.abi.cm.QueryGids;
import io.verbs4j.abi.cm.QueryPaths;
import io.verbs4j.abi.cm.SetOption;
import io.verbs4j.abi.cm.WriteEvent;
import io.verbs4j.abi.uapi.CStruct;
import io.verbs4j.abi.uapi.CView;
import io.verbs4j.abi.uapi.LinuxStructs;
import io.verbs4j.abi.uapi.RdmaUcmCmd;
import io.verbs4j.abi.uapi.RdmaUcmCmdHdr;
import io.verbs4j.abi.uapi.RdmaUcmConnParam;
import io.verbs4j.abi.uapi.SocketAddresses;
import io.verbs4j.simulator.kernel.Refusal;
import io.verbs4j.simulator.profile.Behaviour;
import io.verbs4j.simulator.rxe.Memory;
import io.verbs4j.types.AsyncEventType;
import io.verbs4j.types.Errno;
import io.verbs4j.types.PortSpace;
import io.verbs4j.types.QueuePairState;
import io.verbs4j.types.QueuePairType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.Inet4Address;
import java.net.InetSocketAddress;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Decodes and executes the commands written to the connection manager's file (`ucma_write`, ucma.c). Older forms of
/// commands, which librdmacm stopped sending ten years ago, are not supported.
final class CmCommands {
    /// `GET_OPTION`, which no kernel implements.
    private static final int GET_OPTION = 13;
    private static final int HEAD = RdmaUcmCmdHdr.STRUCT.size();
    /// Size of `struct rdma_ucm_query_addr_resp` without its last field, which older callers lack.
    private static final int MIN_ADDRESSES_BYTES = (int) QueryAddresses.RESPONSE.offset("ibdev_index");
    private static final int MIN_EVENT_BYTES = (int) GetEvent.RESPONSE.offset("reserved");
    /// `net.rdma_ucm.max_backlog`.
    private static final int MAX_BACKLOG = 1024;

    private final ConnectionManager manager;
    private final CmFile file;

    CmCommands(ConnectionManager manager, CmFile file) {
        this.manager = manager;
        this.file = file;
    }

    /// Returns the identifier with a number (`ucma_get_ctx`).
    private CmIdentifier identifier(int number, CmFile of) {
        CmIdentifier identifier = manager.identifier(number);
        if (identifier == null) {
            throw new Refusal(Errno.ENOENT);
        }
        Refusal.unless(identifier.file() == of, Errno.EINVAL);
        return identifier;
    }

    private static CView parameters(CView request) {
        return RdmaUcmConnParam.STRUCT.view(request.slice("conn_param"));
    }

    private static InetSocketAddress address(CView request, String field, int size) {
        MemorySegment bytes = request.slice(field);
        @Nullable InetSocketAddress address = SocketAddresses.read(bytes);
        if (address == null
                || size != (address.getAddress() instanceof Inet4Address ? LinuxStructs.SOCKADDR_IN
                        : LinuxStructs.SOCKADDR_IN6)
                        .size()) {
            throw new Refusal(Errno.EINVAL);
        }
        return address;
    }

    /// Executes a command.
    void run(MemorySegment message) {
        Refusal.unless(message.byteSize() >= HEAD, Errno.EINVAL);
        try (Arena arena = Arena.ofConfined()) {
            CView head = RdmaUcmCmdHdr.STRUCT.view(copy(arena, message.asSlice(0, HEAD), HEAD));
            int number = head.getInt("cmd");
            Refusal.unless(HEAD + head.get("in") <= message.byteSize(), Errno.EINVAL);
            Refusal.when(number == GET_OPTION, Errno.ENOSYS);
            RdmaUcmCmd command = known(number);
            MemorySegment rest = message.asSlice(HEAD);
            int size = command.request().size();
            Refusal.unless(rest.byteSize() >= size, Errno.EFAULT);
            CView request = command.request().view(copy(arena, rest, size));
            int room = head.getInt("out");
            Refusal.unless(room >= leastAnswer(command), Errno.ENOSPC);
            run(command.name(), request, command.response().isEmpty()
                    ? MemorySegment.NULL
                    : Memory.at(request.get("response"), room));
        }
    }

    /// Returns the command with a number, if this kernel has it and current programs send it.
    private RdmaUcmCmd known(int number) {
        RdmaUcmCmd command =
                CommandCatalogue.connectionManager(number).orElseThrow(() -> new Refusal(Errno.EINVAL));
        Refusal.when(CommandCatalogue.of(command).isEmpty(), Errno.EINVAL);
        Refusal.when(
                command == WriteEvent.COMMAND
                        && !manager.environment.profile().has(Behaviour.PROGRAMS_WRITE_EVENTS),
                Errno.EINVAL);
        return command;
    }

    private static int leastAnswer(RdmaUcmCmd command) {
        return switch (command.name()) {
            case "GET_EVENT" -> MIN_EVENT_BYTES;
            case "QUERY" -> 0;
            default -> command.response().map(CStruct::size).orElse(0);
        };
    }

    private void run(String command, CView request, MemorySegment answer) {
        switch (command) {
            case "CREATE_ID" -> create(request, answer);
            case "DESTROY_ID" -> destroy(request, answer);
            case "MIGRATE_ID" -> migrate(request, answer);
            case "GET_EVENT" -> getEvent(answer);
            case "LEAVE_MCAST" -> leave(request, answer);
            default -> run(command, identifier(request.getInt("id"), file), request, answer);
        }
    }

    private static void run(String command, CmIdentifier identifier, CView request, MemorySegment answer) {
        switch (command) {
            case "QUERY" -> query(identifier, request, answer);
            case "BIND" -> identifier.bind(address(request, "addr", request.getInt("addr_size")));
            case "RESOLVE_ADDR" -> identifier.resolveAddress(
                    request.getInt("src_size") == 0 ? null : address(request, "src_addr", request.getInt("src_size")),
                    address(request, "dst_addr", request.getInt("dst_size")),
                    request.getInt("timeout_ms"));
            case "RESOLVE_ROUTE" -> identifier.resolveRoute(request.getInt("timeout_ms"));
            case "LISTEN" -> {
                int backlog = request.getInt("backlog");
                identifier.listen(backlog > 0 && backlog < MAX_BACKLOG ? backlog : MAX_BACKLOG);
            }
            case "CONNECT" -> identifier.handshake.connect(parameters(request));
            case "ACCEPT" -> {
                CView parameters = parameters(request);
                if (parameters.getInt("valid") != 0) {
                    identifier.handshake.accept(request.get("uid"), parameters);
                } else {
                    identifier.handshake.confirm();
                }
            }
            case "REJECT" -> identifier.handshake.reject(
                    request.getInt("reason"),
                    request.slice("private_data")
                            .asSlice(0, request.getInt("private_data_len"))
                            .toArray(ValueLayout.JAVA_BYTE));
            case "DISCONNECT" -> identifier.handshake.disconnect();
            case "NOTIFY" -> {
                Refusal.unless(
                        request.getInt("event") == AsyncEventType.COMMUNICATION_ESTABLISHED.value(), Errno.EINVAL);
                identifier.handshake.dataArrived();
            }
            case "INIT_QP_ATTR" -> {
                int state = request.getInt("qp_state");
                Refusal.unless(state >= 0 && state < QueuePairState.values().length, Errno.EINVAL);
                CmAttributes.write(identifier, QueuePairState.of(state), answer);
            }
            case "SET_OPTION" -> setOption(identifier, request);
            case "JOIN_MCAST" -> {
                int flags = request.getInt("join_flags");
                Refusal.unless(flags == 0 || flags == 1, Errno.EINVAL);
                answer.set(ValueLayout.JAVA_INT_UNALIGNED, 0, identifier.memberships.join(
                        request.get("uid"), address(request, "addr", request.getInt("addr_size"))));
            }
            case "WRITE_CM_EVENT" -> {
                Refusal.unless(request.getInt("event") == CmEventCode.USER.number(), Errno.EINVAL);
                identifier.write(CmEventCode.USER, request.getInt("status"), request.get("param.arg"));
            }
            default -> throw new Refusal(Errno.EINVAL);
        }
    }

    private static MemorySegment copy(Arena arena, MemorySegment bytes, int length) {
        return arena.allocate(length, Long.BYTES).copyFrom(bytes.asSlice(0, length));
    }

    private void create(CView request, MemorySegment answer) {
        PortSpace space = PortSpace.of(request.getInt("ps")).orElseThrow(() -> new Refusal(Errno.EINVAL));
        QueuePairType type = space == PortSpace.IB
                ? Arrays.stream(QueuePairType.values())
                        .filter(each -> each.value() == request.getInt("qp_type"))
                        .findFirst()
                        .orElseThrow(() -> new Refusal(Errno.EINVAL))
                : space.queuePairType();
        var identifier = new CmIdentifier(manager, file, request.get("uid"), space, type);
        answer.set(ValueLayout.JAVA_INT_UNALIGNED, 0, identifier.number);
    }

    private void destroy(CView request, MemorySegment answer) {
        answer.set(ValueLayout.JAVA_INT_UNALIGNED, 0, identifier(request.getInt("id"), file).destroy());
    }

    /// Moves an identifier to this file. The command names the file that the identifier leaves.
    private void migrate(CView request, MemorySegment answer) {
        CmFile former = manager.file(request.getInt("fd"));
        if (former == null) {
            throw new Refusal(Errno.ENOENT);
        }
        answer.set(
                ValueLayout.JAVA_INT_UNALIGNED, 0, identifier(request.getInt("id"), former).migrate(file));
    }

    private void getEvent(MemorySegment answer) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment record = arena.allocate(GetEvent.COMMAND.response().orElseThrow().layout());
            file.take(record);
            long shared = Math.min(record.byteSize(), answer.byteSize());
            answer.asSlice(0, shared).copyFrom(record.asSlice(0, shared));
        }
    }

    private void leave(CView request, MemorySegment answer) {
        int membership = request.getInt("id");
        CmIdentifier member = manager.all()
                .stream()
                .filter(each -> each.file() == file && each.memberships.leave(membership))
                .findFirst()
                .orElseThrow(() -> new Refusal(Errno.ENOENT));
        answer.set(ValueLayout.JAVA_INT_UNALIGNED, 0, member.reported());
    }

    private static void query(CmIdentifier identifier, CView request, MemorySegment answer) {
        switch (request.getInt("option")) {
            case QueryAddresses.ADDRESSES -> CmQueries.addresses(identifier, room(answer, MIN_ADDRESSES_BYTES));
            case QueryPaths.PATHS -> CmQueries.paths(identifier, answer);
            case QueryGids.GIDS -> CmQueries.gids(identifier, room(answer, MIN_ADDRESSES_BYTES));
            default -> throw new Refusal(Errno.ENOSYS);
        }
    }

    private static MemorySegment room(MemorySegment answer, int least) {
        Refusal.unless(answer.byteSize() >= least, Errno.ENOSPC);
        return answer;
    }

    private static void setOption(CmIdentifier identifier, CView request) {
        Refusal.unless(request.getInt("level") == SetOption.LEVEL_IDENTIFIER, Errno.ENOSYS);
        int length = request.getInt("optlen");
        MemorySegment value = Memory.at(request.get("optval"), Integer.toUnsignedLong(length));
        switch (request.getInt("optname")) {
            case SetOption.TYPE_OF_SERVICE -> identifier.options.typeOfService = octet(value);
            case SetOption.REUSE_ADDRESS -> identifier.setReuseAddress(number(value) != 0);
            case SetOption.ADDRESS_FAMILY_ONLY -> identifier.setOneFamilyOnly(number(value) != 0);
            case SetOption.ACKNOWLEDGE_TIMEOUT -> {
                Refusal.when(identifier.isOfDatagrams(), Errno.EINVAL);
                identifier.options.acknowledgeTimeout = octet(value);
            }
            default -> throw new Refusal(Errno.ENOSYS);
        }
    }

    private static int octet(MemorySegment value) {
        Refusal.unless(value.byteSize() == Byte.BYTES, Errno.EINVAL);
        return value.get(ValueLayout.JAVA_BYTE, 0) & 0xff;
    }

    private static int number(MemorySegment value) {
        Refusal.unless(value.byteSize() == Integer.BYTES, Errno.EINVAL);
        return value.get(ValueLayout.JAVA_INT_UNALIGNED, 0);
    }
}
