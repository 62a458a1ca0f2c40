// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.queuepair;

import static io.verbs4j.abi.uapi.CStruct.u32;
import static io.verbs4j.abi.uapi.CStruct.u64;
import static io.verbs4j.abi.uapi.CStruct.u8;

import io.verbs4j.abi.command.CommandChannel;
import io.verbs4j.abi.command.CommandSpecification;
import io.verbs4j.abi.command.DriverData;
import io.verbs4j.abi.command.IoctlCommand;
import io.verbs4j.abi.command.WriteCommand;
import io.verbs4j.abi.uapi.CStruct;
import io.verbs4j.abi.uapi.CView;
import io.verbs4j.abi.uapi.IbUserVerbsCmd;
import io.verbs4j.abi.uapi.IbUverbsQpCap;
import io.verbs4j.abi.uapi.UapiHeader;
import io.verbs4j.abi.uapi.UverbsAttribute;
import io.verbs4j.abi.uapi.UverbsMethod;
import io.verbs4j.abi.uapi.UverbsObject;
import io.verbs4j.types.Errno;
import io.verbs4j.types.QueuePairCapabilities;
import io.verbs4j.types.QueuePairType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/// Creates a queue pair: by `UVERBS_METHOD_QP_CREATE`, or write command 24.
///
/// @see "ibv_create_qp(3)"
public final class CreateQueuePair {
    /// `struct ib_uverbs_create_qp`.
    public static final CStruct REQUEST = CStruct.of(
            UapiHeader.IB_USER_VERBS,
            "ib_uverbs_create_qp",
            u64("response", "address of the response buffer of a write(); 0 inside an ioctl"),
            u64("user_handle", "its identifier in events"),
            u32("pd_handle"),
            u32("send_cq_handle"),
            u32("recv_cq_handle"),
            u32("srq_handle", "valid only if is_srq"),
            u32("max_send_wr"),
            u32("max_recv_wr"),
            u32("max_send_sge"),
            u32("max_recv_sge"),
            u32("max_inline_data", "bytes"),
            u8("sq_sig_all", "1: every send creates a completion"),
            u8("qp_type", "IB_UVERBS_QPT_*: 2 RC, 3 UC, 4 UD"),
            u8("is_srq", "1: receives come from srq_handle"),
            u8("reserved"));
    /// `struct ib_uverbs_create_qp_resp`.
    public static final CStruct RESPONSE = CStruct.of(
            UapiHeader.IB_USER_VERBS,
            "ib_uverbs_create_qp_resp",
            u32("qp_handle"),
            u32("qpn", "24 bits"),
            u32("max_send_wr"),
            u32("max_recv_wr"),
            u32("max_send_sge"),
            u32("max_recv_sge"),
            u32("max_inline_data", "bytes"),
            u32("reserved"));

    /// Creates a queue pair.
    public static final UverbsMethod METHOD = UverbsMethod.of(UverbsObject.QP, 0, "QP_CREATE");
    /// New handle.
    public static final UverbsAttribute CREATE_QP_HANDLE = METHOD.newHandle(0, "CREATE_QP_HANDLE");
    /// Handle of an XRC domain.
    public static final UverbsAttribute CREATE_QP_XRCD_HANDLE = METHOD.handle(1, "CREATE_QP_XRCD_HANDLE");
    /// Handle of the protection domain.
    public static final UverbsAttribute CREATE_QP_PD_HANDLE = METHOD.handle(2, "CREATE_QP_PD_HANDLE");
    /// Handle of the shared receive queue; omitted if there is none.
    public static final UverbsAttribute CREATE_QP_SRQ_HANDLE = METHOD.handle(3, "CREATE_QP_SRQ_HANDLE");
    /// Handle of the completion queue for sends.
    public static final UverbsAttribute CREATE_QP_SEND_CQ_HANDLE = METHOD.handle(4, "CREATE_QP_SEND_CQ_HANDLE");
    /// Handle of the completion queue for receives.
    public static final UverbsAttribute CREATE_QP_RECV_CQ_HANDLE = METHOD.handle(5, "CREATE_QP_RECV_CQ_HANDLE");
    /// Handle of an indirection table.
    public static final UverbsAttribute CREATE_QP_IND_TABLE_HANDLE = METHOD.handle(6, "CREATE_QP_IND_TABLE_HANDLE");
    /// In, u64: its identifier in events.
    public static final UverbsAttribute CREATE_QP_USER_HANDLE = METHOD.in(7, "CREATE_QP_USER_HANDLE");
    /// In: requested [IbUverbsQpCap].
    public static final UverbsAttribute CREATE_QP_CAP = METHOD.in(8, "CREATE_QP_CAP", IbUverbsQpCap.STRUCT);
    /// Constant: `IB_UVERBS_QPT_*`.
    public static final UverbsAttribute CREATE_QP_TYPE = METHOD.constant(9, "CREATE_QP_TYPE", "qp_type");
    /// In, u32: `IB_UVERBS_QP_CREATE_*`.
    public static final UverbsAttribute CREATE_QP_FLAGS = METHOD.in(10, "CREATE_QP_FLAGS");
    /// In, u32: number from which an underlay queue pair sends.
    public static final UverbsAttribute CREATE_QP_SOURCE_QPN = METHOD.in(11, "CREATE_QP_SOURCE_QPN");
    /// File descriptor for its asynchronous events; omitted for the context's first.
    public static final UverbsAttribute CREATE_QP_EVENT_FD = METHOD.file(12, "CREATE_QP_EVENT_FD");
    /// Out: actual [IbUverbsQpCap].
    public static final UverbsAttribute CREATE_QP_RESP_CAP = METHOD.out(13, "CREATE_QP_RESP_CAP", IbUverbsQpCap.STRUCT);
    /// Out, u32: queue pair number.
    public static final UverbsAttribute CREATE_QP_RESP_QP_NUM = METHOD.out(14, "CREATE_QP_RESP_QP_NUM");
    /// The write command.
    public static final IbUserVerbsCmd WRITE =
            IbUserVerbsCmd.of(24, "CREATE_QP", REQUEST, RESPONSE);
    /// Describes the command.
    public static final CommandSpecification SPECIFICATION = CommandSpecification.of("create queue pair")
            .method(METHOD, "5.8")
            .write(WRITE, "2.6.14")
            .makes(UverbsObject.QP)
            .cause(Errno.EINVAL,
                    "a size that exceeds the device's limits (max_qp_wr, max_sge of query device, inline data), or"
                            + " objects of different protection domains")
            .cause(Errno.EOPNOTSUPP, "the driver does not support this type of queue pair")
            .cause(Errno.ENFILE,
                    "the system has too many open files, or the kernel has no memory for the socket of an rxe queue"
                            + " pair")
            .cause(Errno.EPERM, "a raw packet queue pair needs CAP_NET_RAW");

    /// `IB_UVERBS_QP_CREATE_SQ_SIG_ALL`.
    private static final int SIGNAL_ALL = 1 << 12;

    private CreateQueuePair() {}

    /// Describes a queue pair to create.
    ///
    /// @param domain handle of the protection domain
    /// @param sendQueue handle of the completion queue for sends
    /// @param receiveQueue handle of the completion queue for receives
    /// @param sharedReceiveQueue handle of the shared receive queue; null if there is none, because 0 is a valid handle
    /// @param userHandle its identifier in events
    /// @param type its transport
    /// @param capabilities required capacities
    /// @param signalAll whether every send creates a completion, whatever its flags
    public record Request(
            int domain,
            int sendQueue,
            int receiveQueue,
            @Nullable Integer sharedReceiveQueue,
            long userHandle,
            QueuePairType type,
            QueuePairCapabilities capabilities,
            boolean signalAll) {}

    /// A queue pair.
    ///
    /// @param handle the kernel's handle
    /// @param number queue pair number, 24 bits
    /// @param capabilities capacities reported by the kernel; rxe on 6.1 repeats the requested numbers of work requests
    public record Response(int handle, int number, QueuePairCapabilities capabilities) {}

    /// Creates a queue pair.
    ///
    /// @param driver contains the buffer in which the driver reports the rings
    public static Response execute(CommandChannel channel, Request request, DriverData driver) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment wanted = IbUverbsQpCap.STRUCT.allocate(arena);
            IbUverbsQpCap.write(IbUverbsQpCap.STRUCT.view(wanted), request.capabilities());
            MemorySegment given = IbUverbsQpCap.STRUCT.allocate(arena);
            CView capabilities = IbUverbsQpCap.STRUCT.view(given);
            MemorySegment number = arena.allocate(ValueLayout.JAVA_INT);
            IoctlCommand command = IoctlCommand.of(arena, SPECIFICATION)
                    .newHandle(CREATE_QP_HANDLE)
                    .handle(CREATE_QP_PD_HANDLE, request.domain())
                    .handle(CREATE_QP_SEND_CQ_HANDLE, request.sendQueue())
                    .handle(CREATE_QP_RECV_CQ_HANDLE, request.receiveQueue())
                    .in64(CREATE_QP_USER_HANDLE, request.userHandle())
                    .in(CREATE_QP_CAP, wanted)
                    .constant(CREATE_QP_TYPE, request.type().value())
                    .out(CREATE_QP_RESP_CAP, given)
                    .out(CREATE_QP_RESP_QP_NUM, number)
                    .driver(driver);
            Integer sharedReceiveQueue = request.sharedReceiveQueue();
            if (sharedReceiveQueue != null) {
                command.handle(CREATE_QP_SRQ_HANDLE, sharedReceiveQueue);
            }
            if (request.signalAll()) {
                command.in32(CREATE_QP_FLAGS, SIGNAL_ALL);
            }
            int result = command.execute(channel);
            if (IoctlCommand.isMissing(result)) {
                return byWrite(channel, arena, request, driver);
            }
            SPECIFICATION.check(result);
            return response(
                    channel, command.created(CREATE_QP_HANDLE), number.get(ValueLayout.JAVA_INT, 0), capabilities);
        }
    }

    private static Response byWrite(CommandChannel channel, Arena arena, Request request, DriverData driver) {
        Integer sharedReceiveQueue = request.sharedReceiveQueue();
        WriteCommand command = WriteCommand.of(arena, SPECIFICATION)
                .set("user_handle", request.userHandle())
                .set("pd_handle", request.domain())
                .set("send_cq_handle", request.sendQueue())
                .set("recv_cq_handle", request.receiveQueue())
                .set("srq_handle", sharedReceiveQueue == null ? 0 : sharedReceiveQueue)
                .set("sq_sig_all", request.signalAll() ? 1 : 0)
                .set("qp_type", request.type().value())
                .set("is_srq", sharedReceiveQueue == null ? 0 : 1)
                .driver(driver);
        IbUverbsQpCap.write(command.request(), request.capabilities());
        SPECIFICATION.check(command.execute(channel));
        CView response = command.response();
        return response(channel, response.getInt("qp_handle"), response.getInt("qpn"), response);
    }

    /// Neither invalid numbers nor lack of heap may leak a queue pair.
    private static Response response(CommandChannel channel, int handle, int number, CView capabilities) {
        try {
            return new Response(handle, number, IbUverbsQpCap.read(capabilities));
        } catch (IllegalArgumentException | OutOfMemoryError e) {
            DestroyQueuePair.execute(channel, handle);
            throw e;
        }
    }
}
