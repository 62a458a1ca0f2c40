// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.context;

import static io.verbs4j.abi.uapi.CStruct.u32;
import static io.verbs4j.abi.uapi.CStruct.u64;

import io.verbs4j.abi.command.CommandChannel;
import io.verbs4j.abi.command.CommandSpecification;
import io.verbs4j.abi.command.DriverData;
import io.verbs4j.abi.command.IoctlCommand;
import io.verbs4j.abi.command.WriteCommand;
import io.verbs4j.abi.device.EventFile;
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

/// Creates the context of an open device file, and gets the file descriptor of its asynchronous events. This is the
/// first command: before it, the kernel refuses all other commands and mappings with `EINVAL`. An open file has one
/// context; a second request is refused, too.
///
/// The native form consists of two commands: `UVERBS_METHOD_GET_CONTEXT`, then `UVERBS_METHOD_ASYNC_EVENT_ALLOC`. The
/// latter's file descriptor reports the events of all objects that specify no other. Write command 0 returns both at
/// once.
///
/// @see "ibv_open_device(3)"
public final class GetContext {
    private static final CStruct REQUEST = CStruct.of(
            UapiHeader.IB_USER_VERBS,
            "ib_uverbs_get_context",
            u64("response", "address of the response buffer of a write(); 0 inside an ioctl"));
    private static final CStruct RESPONSE = CStruct.of(
            UapiHeader.IB_USER_VERBS,
            "ib_uverbs_get_context_resp",
            u32("async_fd", "file descriptor of the asynchronous events"),
            u32("num_comp_vectors", "completion vectors of the device"));

    /// Creates the context of an open file; one per file.
    public static final UverbsMethod METHOD = UverbsMethod.of(UverbsObject.DEVICE, 3, "GET_CONTEXT");
    /// Out, u32: number of completion vectors.
    public static final UverbsAttribute GET_CONTEXT_NUM_COMP_VECTORS = METHOD.out(0, "GET_CONTEXT_NUM_COMP_VECTORS");
    /// Out, u64: features of the core (`enum ib_uverbs_core_support`).
    public static final UverbsAttribute GET_CONTEXT_CORE_SUPPORT = METHOD.out(1, "GET_CONTEXT_CORE_SUPPORT");
    /// Gets a file descriptor for asynchronous events.
    public static final UverbsMethod ASYNC_EVENT_ALLOC =
            UverbsMethod.of(UverbsObject.ASYNC_EVENT, 0, "ASYNC_EVENT_ALLOC");
    /// New file descriptor.
    public static final UverbsAttribute ASYNC_EVENT_ALLOC_FD_HANDLE =
            ASYNC_EVENT_ALLOC.newFile(0, "ASYNC_EVENT_ALLOC_FD_HANDLE");
    /// The write command.
    public static final IbUserVerbsCmd WRITE =
            IbUserVerbsCmd.of(0, "GET_CONTEXT", REQUEST, RESPONSE);
    /// Describes the command.
    public static final CommandSpecification SPECIFICATION = CommandSpecification.of("get context")
            .method(METHOD, "5.6")
            .method(ASYNC_EVENT_ALLOC, "5.6")
            .write(WRITE, "2.6.14")
            .makes(UverbsObject.ASYNC_EVENT)
            .cause(Errno.EINVAL, "this open file already has a context; open the device again");

    private GetContext() {}

    /// A context.
    ///
    /// @param completionVectors number of completion vectors; on rxe, the maximum number of processors
    /// @param coreSupport features of the kernel's RDMA core (`enum ib_uverbs_core_support`), 0 if unknown. Bit 0: it
    ///     ignores unknown access rights of the optional range
    /// @param asyncEvents the asynchronous events of this context
    public record Response(int completionVectors, long coreSupport, EventFile asyncEvents) {}

    /// Creates the context. After a failure, the kernel may still have one, and closing the channel is the only remedy.
    public static Response execute(CommandChannel channel, DriverData driver) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment vectors = arena.allocate(ValueLayout.JAVA_INT);
            MemorySegment support = arena.allocate(ValueLayout.JAVA_LONG);
            int result = IoctlCommand.of(arena, SPECIFICATION)
                    .out(GET_CONTEXT_NUM_COMP_VECTORS, vectors)
                    .out(GET_CONTEXT_CORE_SUPPORT, support)
                    .optional()
                    .driver(driver)
                    .execute(channel);
            if (IoctlCommand.isMissing(result)) {
                return byWrite(channel, arena, driver);
            }
            SPECIFICATION.check(result);
            // The response is allocated before the file is created, so that a lack of heap cannot leak the file.
            return new Response(
                    vectors.get(ValueLayout.JAVA_INT, 0),
                    support.get(ValueLayout.JAVA_LONG, 0),
                    allocateAsyncEvents(channel, arena));
        }
    }

    private static EventFile allocateAsyncEvents(CommandChannel channel, Arena arena) {
        IoctlCommand command = IoctlCommand.of(arena, SPECIFICATION, ASYNC_EVENT_ALLOC)
                .newHandle(ASYNC_EVENT_ALLOC_FD_HANDLE);
        SPECIFICATION.check(command.execute(channel));
        return channel.file().eventFile(command.created(ASYNC_EVENT_ALLOC_FD_HANDLE));
    }

    private static Response byWrite(CommandChannel channel, Arena arena, DriverData driver) {
        WriteCommand command = WriteCommand.of(arena, SPECIFICATION)
                .driver(driver);
        int result = command.execute(channel);
        if (result == -Errno.EBADF) {
            // Kernels with RDMA user capabilities (ib_init_ucontext, uverbs_cmd.c) expect an array of file descriptors
            // in attribute 2 of this command. Inside INVOKE_WRITE, they mistake its attribute 2, the number of the
            // write command, for that array.
            result = command.executeByWrite(channel);
        }
        SPECIFICATION.check(result);
        CView response = command.response();
        return new Response(
                response.getInt("num_comp_vectors"),
                0,
                channel.file().eventFile(response.getInt("async_fd")));
    }
}
