// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.sharedreceive;

import static io.verbs4j.abi.uapi.CStruct.u32;
import static io.verbs4j.abi.uapi.CStruct.u64;

import io.verbs4j.abi.command.CommandChannel;
import io.verbs4j.abi.command.CommandSpecification;
import io.verbs4j.abi.command.DriverData;
import io.verbs4j.abi.command.IoctlCommand;
import io.verbs4j.abi.command.WriteCommand;
import io.verbs4j.abi.uapi.CStruct;
import io.verbs4j.abi.uapi.CView;
import io.verbs4j.abi.uapi.IbUserVerbsCmd;
import io.verbs4j.abi.uapi.UapiHeader;
import io.verbs4j.abi.uapi.UverbsAttribute;
import io.verbs4j.abi.uapi.UverbsMethod;
import io.verbs4j.abi.uapi.UverbsObject;
import io.verbs4j.types.Errno;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Creates a shared receive queue: by `UVERBS_METHOD_SRQ_CREATE`, or write command 32.
///
/// @see "ibv_create_srq(3)"
public final class CreateSharedReceiveQueue {
    /// `struct ib_uverbs_create_srq`.
    public static final CStruct REQUEST = CStruct.of(
            UapiHeader.IB_USER_VERBS,
            "ib_uverbs_create_srq",
            u64("response", "address of the response buffer of a write(); 0 inside an ioctl"),
            u64("user_handle", "its identifier in events"),
            u32("pd_handle"),
            u32("max_wr"),
            u32("max_sge", "buffers of a work request"),
            u32("srq_limit", "0: no limit event"));
    /// `struct ib_uverbs_create_srq_resp`.
    public static final CStruct RESPONSE = CStruct.of(
            UapiHeader.IB_USER_VERBS,
            "ib_uverbs_create_srq_resp",
            u32("srq_handle"),
            u32("max_wr"),
            u32("max_sge", "buffers of a work request"),
            u32("srqn", "meant for XRC; drivers return the number elsewhere"));

    /// Creates a shared receive queue.
    public static final UverbsMethod METHOD = UverbsMethod.of(UverbsObject.SRQ, 0, "SRQ_CREATE");
    /// New handle.
    public static final UverbsAttribute CREATE_SRQ_HANDLE = METHOD.newHandle(0, "CREATE_SRQ_HANDLE");
    /// Handle of the protection domain.
    public static final UverbsAttribute CREATE_SRQ_PD_HANDLE = METHOD.handle(1, "CREATE_SRQ_PD_HANDLE");
    /// In, u64: its identifier in events.
    public static final UverbsAttribute CREATE_SRQ_USER_HANDLE = METHOD.in(4, "CREATE_SRQ_USER_HANDLE");
    /// In, u32: requested receives.
    public static final UverbsAttribute CREATE_SRQ_MAX_WR = METHOD.in(5, "CREATE_SRQ_MAX_WR");
    /// In, u32: buffers of each receive.
    public static final UverbsAttribute CREATE_SRQ_MAX_SGE = METHOD.in(6, "CREATE_SRQ_MAX_SGE");
    /// In, u32: armed limit, 0 for none.
    public static final UverbsAttribute CREATE_SRQ_LIMIT = METHOD.in(7, "CREATE_SRQ_LIMIT");
    /// Constant: `IB_UVERBS_SRQT_*`, 0 for the plain kind.
    public static final UverbsAttribute CREATE_SRQ_TYPE = METHOD.constant(9, "CREATE_SRQ_TYPE");
    /// File descriptor for its asynchronous events; omitted for the context's first.
    public static final UverbsAttribute CREATE_SRQ_EVENT_FD = METHOD.file(10, "CREATE_SRQ_EVENT_FD");
    /// Out, u32: actual receives.
    public static final UverbsAttribute CREATE_SRQ_RESP_MAX_WR = METHOD.out(11, "CREATE_SRQ_RESP_MAX_WR");
    /// Out, u32: buffers of each receive.
    public static final UverbsAttribute CREATE_SRQ_RESP_MAX_SGE = METHOD.out(12, "CREATE_SRQ_RESP_MAX_SGE");
    /// Out, u32: its number; XRC only.
    public static final UverbsAttribute CREATE_SRQ_RESP_SRQ_NUM = METHOD.out(13, "CREATE_SRQ_RESP_SRQ_NUM");
    /// The write command.
    public static final IbUserVerbsCmd WRITE =
            IbUserVerbsCmd.of(32, "CREATE_SRQ", REQUEST, RESPONSE);
    /// Describes the command.
    public static final CommandSpecification SPECIFICATION = CommandSpecification.of("create shared receive queue")
            .method(METHOD, "5.8")
            .write(WRITE, "2.6.14")
            .makes(UverbsObject.SRQ)
            .cause(Errno.EINVAL,
                    "a size of 0 or above the device's limits (max_srq_wr, max_srq_sge of query device)");

    /// `IB_UVERBS_SRQT_BASIC`.
    private static final int BASIC = 0;

    private CreateSharedReceiveQueue() {}

    /// Describes a shared receive queue to create.
    ///
    /// @param domain handle of the protection domain
    /// @param userHandle its identifier in events
    /// @param maxWorkRequests receives that the queue must hold
    /// @param maxScatterGather scatter/gather elements of each receive
    /// @param limit number of waiting receives below which an event is raised once; 0 for none
    public record Request(int domain, long userHandle, int maxWorkRequests, int maxScatterGather, int limit) {}

    /// A shared receive queue. Its number for users and peers is in the driver's response.
    ///
    /// @param handle the kernel's handle
    /// @param maxWorkRequests capacity reported by the kernel
    /// @param maxScatterGather scatter/gather elements of each receive
    public record Response(int handle, int maxWorkRequests, int maxScatterGather) {}

    /// Creates a queue.
    ///
    /// @param driver contains the buffer in which the driver reports the ring
    public static Response execute(CommandChannel channel, Request request, DriverData driver) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment maxWorkRequests = arena.allocate(ValueLayout.JAVA_INT);
            MemorySegment maxScatterGather = arena.allocate(ValueLayout.JAVA_INT);
            IoctlCommand command = IoctlCommand.of(arena, SPECIFICATION)
                    .newHandle(CREATE_SRQ_HANDLE)
                    .handle(CREATE_SRQ_PD_HANDLE, request.domain())
                    .constant(CREATE_SRQ_TYPE, BASIC)
                    .in64(CREATE_SRQ_USER_HANDLE, request.userHandle())
                    .in32(CREATE_SRQ_MAX_WR, request.maxWorkRequests())
                    .in32(CREATE_SRQ_MAX_SGE, request.maxScatterGather())
                    .in32(CREATE_SRQ_LIMIT, request.limit())
                    .out(CREATE_SRQ_RESP_MAX_WR, maxWorkRequests)
                    .out(CREATE_SRQ_RESP_MAX_SGE, maxScatterGather)
                    .driver(driver);
            int result = command.execute(channel);
            if (IoctlCommand.isMissing(result)) {
                return byWrite(channel, arena, request, driver);
            }
            SPECIFICATION.check(result);
            return response(
                    channel,
                    command.created(CREATE_SRQ_HANDLE),
                    maxWorkRequests.get(ValueLayout.JAVA_INT, 0),
                    maxScatterGather.get(ValueLayout.JAVA_INT, 0));
        }
    }

    private static Response byWrite(CommandChannel channel, Arena arena, Request request, DriverData driver) {
        WriteCommand command = WriteCommand.of(arena, SPECIFICATION)
                .set("user_handle", request.userHandle())
                .set("pd_handle", request.domain())
                .set("max_wr", request.maxWorkRequests())
                .set("max_sge", request.maxScatterGather())
                .set("srq_limit", request.limit())
                .driver(driver);
        SPECIFICATION.check(command.execute(channel));
        CView response = command.response();
        return response(
                channel, response.getInt("srq_handle"), response.getInt("max_wr"), response.getInt("max_sge"));
    }

    private static Response response(CommandChannel channel, int handle, int maxWorkRequests, int maxScatterGather) {
        try {
            return new Response(handle, maxWorkRequests, maxScatterGather);
        } catch (OutOfMemoryError e) {
            DestroySharedReceiveQueue.execute(channel, handle);
            throw e;
        }
    }
}
