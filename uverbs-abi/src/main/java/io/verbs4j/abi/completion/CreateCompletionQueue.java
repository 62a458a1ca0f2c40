// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.completion;

import static io.verbs4j.abi.uapi.CStruct.struct;
import static io.verbs4j.abi.uapi.CStruct.u32;
import static io.verbs4j.abi.uapi.CStruct.u64;

import io.verbs4j.abi.command.CommandChannel;
import io.verbs4j.abi.command.CommandSpecification;
import io.verbs4j.abi.command.DriverData;
import io.verbs4j.abi.command.IoctlCommand;
import io.verbs4j.abi.command.WriteCommand;
import io.verbs4j.abi.device.EventFile;
import io.verbs4j.abi.failure.GeneralCauses;
import io.verbs4j.abi.uapi.CStruct;
import io.verbs4j.abi.uapi.IbUserVerbsCmd;
import io.verbs4j.abi.uapi.UapiHeader;
import io.verbs4j.abi.uapi.UverbsAttribute;
import io.verbs4j.abi.uapi.UverbsMethod;
import io.verbs4j.abi.uapi.UverbsObject;
import io.verbs4j.types.Errno;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/// Creates a completion queue: by `UVERBS_METHOD_CQ_CREATE`, or the write command 18, the extended one if there are
/// flags.
///
/// @see "ibv_create_cq_ex(3)"
public final class CreateCompletionQueue {
    /// `struct ib_uverbs_create_cq`.
    public static final CStruct REQUEST = CStruct.of(
            UapiHeader.IB_USER_VERBS,
            "ib_uverbs_create_cq",
            u64("response", "address of the response buffer of a write(); 0 inside an ioctl"),
            u64("user_handle", "its identifier in events"),
            u32("cqe", "requested entries"),
            u32("comp_vector"),
            u32("comp_channel", "signed: file descriptor of the completion channel, -1 for none"),
            u32("reserved"));
    /// `struct ib_uverbs_create_cq_resp`.
    public static final CStruct RESPONSE = CStruct.of(
            UapiHeader.IB_USER_VERBS,
            "ib_uverbs_create_cq_resp",
            u32("cq_handle"),
            u32("cqe", "actual entries"));
    private static final CStruct EXTENDED_REQUEST = CStruct.of(
            UapiHeader.IB_USER_VERBS,
            "ib_uverbs_ex_create_cq",
            u64("user_handle"),
            u32("cqe"),
            u32("comp_vector"),
            u32("comp_channel", "signed: -1 for none"),
            u32("comp_mask", "0"),
            u32("flags", "IB_UVERBS_CQ_FLAGS_*"),
            u32("reserved"));
    private static final CStruct EXTENDED_RESPONSE = CStruct.of(
            UapiHeader.IB_USER_VERBS,
            "ib_uverbs_ex_create_cq_resp",
            struct("base", RESPONSE),
            u32("comp_mask"),
            u32("response_length"));

    /// Creates a completion queue.
    public static final UverbsMethod METHOD = UverbsMethod.of(UverbsObject.CQ, 0, "CQ_CREATE");
    /// New handle.
    public static final UverbsAttribute CREATE_CQ_HANDLE = METHOD.newHandle(0, "CREATE_CQ_HANDLE");
    /// In, u32: requested entries.
    public static final UverbsAttribute CREATE_CQ_CQE = METHOD.in(1, "CREATE_CQ_CQE");
    /// In, u64: its identifier in events.
    public static final UverbsAttribute CREATE_CQ_USER_HANDLE = METHOD.in(2, "CREATE_CQ_USER_HANDLE");
    /// File descriptor of the completion channel; omitted if there is none.
    public static final UverbsAttribute CREATE_CQ_COMP_CHANNEL = METHOD.file(3, "CREATE_CQ_COMP_CHANNEL");
    /// In, u32: completion vector.
    public static final UverbsAttribute CREATE_CQ_COMP_VECTOR = METHOD.in(4, "CREATE_CQ_COMP_VECTOR");
    /// In, u32: `IB_UVERBS_CQ_FLAGS_*`; omitted if there are none.
    public static final UverbsAttribute CREATE_CQ_FLAGS = METHOD.in(5, "CREATE_CQ_FLAGS");
    /// Out, u32: actual entries.
    public static final UverbsAttribute CREATE_CQ_RESP_CQE = METHOD.out(6, "CREATE_CQ_RESP_CQE");
    /// File descriptor for its asynchronous events; omitted for the context's first.
    public static final UverbsAttribute CREATE_CQ_EVENT_FD = METHOD.file(7, "CREATE_CQ_EVENT_FD");
    /// The write command.
    public static final IbUserVerbsCmd WRITE =
            IbUserVerbsCmd.of(18, "CREATE_CQ", REQUEST, RESPONSE);
    /// The extended write command.
    public static final IbUserVerbsCmd EXTENDED_WRITE =
            IbUserVerbsCmd.ofExtended(18, "CREATE_CQ", EXTENDED_REQUEST, EXTENDED_RESPONSE);
    /// Describes the command.
    public static final CommandSpecification SPECIFICATION = CommandSpecification.of("create completion queue")
            .method(METHOD, "4.14")
            .write(WRITE, "2.6.14")
            .write(EXTENDED_WRITE, "4.2")
            .makes(UverbsObject.CQ)
            .causes(GeneralCauses.OF_COMPLETION_QUEUES)
            .cause(Errno.EINVAL,
                    "no entries or more than the device's limit (max_cqe of query device), or a completion vector"
                            + " that does not exist");

    private static final int NO_CHANNEL = -1;

    private CreateCompletionQueue() {}

    /// Describes a completion queue to create.
    ///
    /// @param entries completions that the queue must hold, at least 1
    /// @param userHandle its identifier in events
    /// @param completionChannel the channel for its completion events, or null
    /// @param completionVector below the context's number of vectors
    /// @param flags `IB_UVERBS_CQ_FLAGS_*`; rxe has none
    public record Request(
            int entries, long userHandle, @Nullable EventFile completionChannel, int completionVector, int flags) {}

    /// A completion queue.
    ///
    /// @param handle the kernel's handle
    /// @param entries capacity reported by the kernel
    public record Response(int handle, int entries) {}

    /// Creates a queue.
    ///
    /// @param driver contains the buffer in which the driver reports the ring
    public static Response execute(CommandChannel channel, Request request, DriverData driver) {
        try (Arena arena = Arena.ofConfined()) {
            EventFile events = request.completionChannel();
            MemorySegment entries = arena.allocate(ValueLayout.JAVA_INT);
            IoctlCommand command = IoctlCommand.of(arena, SPECIFICATION)
                    .newHandle(CREATE_CQ_HANDLE)
                    .in32(CREATE_CQ_CQE, request.entries())
                    .in64(CREATE_CQ_USER_HANDLE, request.userHandle())
                    .in32(CREATE_CQ_COMP_VECTOR, request.completionVector())
                    .out(CREATE_CQ_RESP_CQE, entries)
                    .driver(driver);
            if (events != null) {
                command.fd(CREATE_CQ_COMP_CHANNEL, events.fileDescriptor());
            }
            if (request.flags() != 0) {
                command.in32(CREATE_CQ_FLAGS, request.flags());
            }
            int result = command.execute(channel);
            if (IoctlCommand.isMissing(result)) {
                int fd = events == null ? NO_CHANNEL : events.fileDescriptor();
                return request.flags() == 0
                        ? plain(channel, arena, request, fd, driver)
                        : extended(channel, arena, request, fd, driver);
            }
            SPECIFICATION.check(result);
            return response(channel, command.created(CREATE_CQ_HANDLE), entries.get(ValueLayout.JAVA_INT, 0));
        }
    }

    private static Response plain(
            CommandChannel channel, Arena arena, Request request, int completionChannel, DriverData driver) {
        WriteCommand command = WriteCommand.of(arena, SPECIFICATION)
                .set("user_handle", request.userHandle())
                .set("cqe", request.entries())
                .set("comp_vector", request.completionVector())
                .set("comp_channel", completionChannel)
                .driver(driver);
        SPECIFICATION.check(command.execute(channel));
        return response(channel, command.response().getInt("cq_handle"), command.response().getInt("cqe"));
    }

    private static Response extended(
            CommandChannel channel, Arena arena, Request request, int completionChannel, DriverData driver) {
        WriteCommand command = WriteCommand.of(arena, SPECIFICATION, EXTENDED_WRITE)
                .set("user_handle", request.userHandle())
                .set("cqe", request.entries())
                .set("comp_vector", request.completionVector())
                .set("comp_channel", completionChannel)
                .set("flags", request.flags())
                .driver(driver);
        SPECIFICATION.check(command.execute(channel));
        return response(channel, command.response().getInt("base.cq_handle"), command.response().getInt("base.cqe"));
    }

    private static Response response(CommandChannel channel, int handle, int entries) {
        try {
            return new Response(handle, entries);
        } catch (OutOfMemoryError e) {
            DestroyCompletionQueue.execute(channel, handle);
            throw e;
        }
    }
}
