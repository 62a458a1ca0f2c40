// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.command;

import io.verbs4j.abi.failure.KernelErrors;
import io.verbs4j.abi.uapi.CStruct;
import io.verbs4j.abi.uapi.CView;
import io.verbs4j.abi.uapi.UverbsAttribute;
import io.verbs4j.types.Errno;
import java.lang.foreign.Arena;

/// Destroys an object by its handle: by the method, or by the write command if the kernel does not support the method.
public final class DestroyCommand {
    private DestroyCommand() {}

    /// Destroys an object.
    ///
    /// @param attribute the method's argument for the handle
    /// @param field the write command's field for the handle
    public static void execute(
            CommandChannel channel,
            CommandSpecification specification,
            UverbsAttribute attribute,
            String field,
            int handle) {
        try (Arena arena = Arena.ofConfined()) {
            int result = IoctlCommand.of(arena, specification).handle(attribute, handle).execute(channel);
            if (IoctlCommand.isMissing(result)) {
                result = WriteCommand.of(arena, specification).set(field, handle).execute(channel);
            }
            KernelErrors.checkDestroyed(specification, result);
        }
    }

    /// Destroys an object, and returns the response, which contains the number of read events. Allocates nothing after
    /// the kernel has destroyed the object.
    ///
    /// @param arena contains the response; confined to the calling thread
    /// @param attribute the method's argument for the handle
    /// @param answer the method's argument for the response, with the same struct as the write command
    /// @param field the write command's field for the handle
    public static CView execute(
            CommandChannel channel,
            Arena arena,
            CommandSpecification specification,
            UverbsAttribute attribute,
            UverbsAttribute answer,
            String field,
            int handle) {
        CStruct struct = answer.struct().orElseThrow();
        CView response = struct.view(struct.allocate(arena));
        IoctlCommand ioctl = IoctlCommand.of(arena, specification)
                .handle(attribute, handle)
                .out(answer, response.memory());
        int result = ioctl.execute(channel);
        if (result == -Errno.EFAULT) {
            // If the kernel only failed to write its response, the object is already destroyed, and could never be
            // closed.
            int again = ioctl.execute(channel);
            result = again == -Errno.ENOENT ? 0 : again;
        }
        if (IoctlCommand.isMissing(result)) {
            WriteCommand command = WriteCommand.of(arena, specification).set(field, handle);
            result = command.execute(channel);
            response = command.response();
        }
        KernelErrors.checkDestroyed(specification, result);
        return response;
    }
}
