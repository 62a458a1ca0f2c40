// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.simulator.kernel;

import io.verbs4j.abi.catalogue.CommandCatalogue;
import io.verbs4j.abi.context.GetContext;
import io.verbs4j.abi.context.QueryDevice;
import io.verbs4j.abi.queuepair.PostSendDoorbell;
import io.verbs4j.abi.uapi.CStruct;
import io.verbs4j.abi.uapi.CView;
import io.verbs4j.abi.uapi.IbUserVerbsCmd;
import io.verbs4j.abi.uapi.IbUverbsCmdHdr;
import io.verbs4j.abi.uapi.IbUverbsExCmdHdr;
import io.verbs4j.simulator.rxe.Memory;
import io.verbs4j.types.Errno;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// The older interface: numbered commands with a request and a response, by `write()` or inside an ioctl
/// (`ib_uverbs_write`, uverbs_main.c).
final class WriteCommands {
    private static final int HEAD = IbUverbsCmdHdr.STRUCT.size();
    private static final int EXTENDED_HEAD = IbUverbsExCmdHdr.STRUCT.size();
    private static final int WORD = 4;
    private static final int EXTENDED_WORD = 8;
    private static final int DOORBELL = PostSendDoorbell.WRITE.command();
    private static final long DOORBELL_HANDLE = HEAD + PostSendDoorbell.REQUEST.offset("qp_handle");
    private static final long DOORBELL_SIZE = HEAD + PostSendDoorbell.REQUEST.offset("wqe_size");
    private static final long DOORBELL_LENGTH = (long) HEAD + PostSendDoorbell.REQUEST.size();
    /// `sizeof(struct ib_uverbs_send_wr)`.
    private static final int MIN_WORK_REQUEST = 56;

    /// Minimum size of this command's response, which may be truncated.
    private static final int MIN_EXTENDED_DEVICE = 8;

    private final OpenDevice file;
    final Commands commands;

    WriteCommands(OpenDevice file, Commands commands) {
        this.file = file;
        this.commands = commands;
    }

    /// Executes a command as written to the file.
    void run(MemorySegment command) {
        Refusal.unless(command.byteSize() >= HEAD, Errno.EINVAL);
        int number = command.get(ValueLayout.JAVA_INT_UNALIGNED, 0);
        int in = command.get(ValueLayout.JAVA_SHORT_UNALIGNED, 4) & 0xffff;
        int out = command.get(ValueLayout.JAVA_SHORT_UNALIGNED, 6) & 0xffff;
        if (number == DOORBELL && command.byteSize() == DOORBELL_LENGTH) {
            ring(command, in, out);
            return;
        }
        try (Arena arena = Arena.ofConfined()) {
            if ((number & IbUserVerbsCmd.EXTENDED) != 0) {
                extended(arena, command, number, in, out);
            } else {
                plain(arena, command, number, in, out);
            }
        }
    }

    private void ring(MemorySegment command, int in, int out) {
        Refusal.unless((long) in * WORD == DOORBELL_LENGTH, Errno.EINVAL);
        Refusal.unless(out > 0, Errno.ENOSPC);
        file.requireContext();
        Refusal.unless(
                command.get(ValueLayout.JAVA_INT_UNALIGNED, DOORBELL_SIZE) >= MIN_WORK_REQUEST, Errno.EINVAL);
        commands.queuePairs.ring(command.get(ValueLayout.JAVA_INT_UNALIGNED, DOORBELL_HANDLE));
    }

    private void plain(Arena arena, MemorySegment command, int number, int in, int out) {
        Refusal.unless((long) in * WORD == command.byteSize(), Errno.EINVAL);
        IbUserVerbsCmd known = known(number);
        int request = request(known);
        Refusal.unless(command.byteSize() - HEAD >= request, Errno.ENOSPC);
        int answer = answer(known);
        Refusal.unless((long) out * WORD >= answer, Errno.ENOSPC);
        MemorySegment room = MemorySegment.NULL;
        if (answer > 0) {
            room = Memory.at(command.get(ValueLayout.JAVA_LONG_UNALIGNED, HEAD), (long) out * WORD);
        }
        run(
                number,
                arena,
                command.asSlice(HEAD, request),
                answer > 0 ? room.asSlice(0, answer) : room,
                command.asSlice(HEAD + request),
                answer > 0 ? room.asSlice(answer) : room);
    }

    private void extended(Arena arena, MemorySegment command, int number, int in, int out) {
        Refusal.unless(command.byteSize() >= HEAD + EXTENDED_HEAD, Errno.EINVAL);
        CView head = IbUverbsExCmdHdr.STRUCT.view(command.asSlice(HEAD));
        long request = (long) in * EXTENDED_WORD;
        long driver = head.get("provider_in_words") * EXTENDED_WORD;
        Refusal.unless(HEAD + EXTENDED_HEAD + request + driver == command.byteSize(), Errno.EINVAL);
        long answer = (long) out * EXTENDED_WORD;
        long room = answer + head.get("provider_out_words") * EXTENDED_WORD;
        MemorySegment answers = room == 0 ? MemorySegment.NULL : Memory.at(head.get("response"), room);
        run(
                number,
                arena,
                command.asSlice(HEAD + EXTENDED_HEAD, request),
                answers.asSlice(0, answer),
                command.asSlice(HEAD + EXTENDED_HEAD + request),
                answers.asSlice(answer));
    }

    private static IbUserVerbsCmd known(int number) {
        return CommandCatalogue.write(number).orElseThrow(() -> new Refusal(Errno.EOPNOTSUPP));
    }

    private static int request(IbUserVerbsCmd command) {
        return command.request().size();
    }

    private static int answer(IbUserVerbsCmd command) {
        return command == QueryDevice.EXTENDED_WRITE
                ? MIN_EXTENDED_DEVICE
                : command.response().map(CStruct::size).orElse(0);
    }

    /// Executes a command.
    ///
    /// @param driverIn the driver's part of the request
    /// @param driverOut memory for the driver's part of the response
    void run(
            int number,
            Arena arena,
            MemorySegment request,
            MemorySegment answer,
            MemorySegment driverIn,
            MemorySegment driverOut) {
        IbUserVerbsCmd command = known(number);
        Refusal.unless(
                request.byteSize() >= request(command) && answer.byteSize() >= answer(command), Errno.ENOSPC);
        MemorySegment aligned = arena.allocate(Math.max(request.byteSize(), 1), Long.BYTES);
        aligned.asSlice(0, request.byteSize()).copyFrom(request);
        CView in = command.request().view(aligned.asSlice(0, request(command)));
        if (command == GetContext.WRITE) {
            file.makeContext();
            out(arena, command, answer)
                    .set("async_fd", file.makeAsyncFile().fileDescriptor())
                    .set("num_comp_vectors", Commands.VECTORS);
            copy(answer);
            return;
        }
        file.requireContext();
        CView out = out(arena, command, answer);
        commands.run(new Commands.Call(arena, command, in, out, driverIn, driverOut));
        copy(answer);
    }

    private CView pending = IbUverbsCmdHdr.STRUCT.view(MemorySegment.NULL);

    /// Returns aligned memory for a response. [#copy] copies it to the caller's memory.
    private CView out(Arena arena, IbUserVerbsCmd command, MemorySegment answer) {
        CStruct struct = command.response().orElse(IbUverbsCmdHdr.STRUCT);
        pending = struct.view(arena.allocate(Math.max(struct.size(), answer.byteSize()), Long.BYTES));
        return pending;
    }

    private void copy(MemorySegment answer) {
        answer.copyFrom(pending.memory().asSlice(0, answer.byteSize()));
    }
}
