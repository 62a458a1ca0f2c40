// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.command;

import io.verbs4j.abi.uapi.IbUserVerbsCmd;
import io.verbs4j.abi.uapi.UverbsAttribute;
import io.verbs4j.abi.uapi.UverbsMethod;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// A write command inside an ioctl: `UVERBS_METHOD_INVOKE_WRITE`. Request and answer are arguments with their own lengths, so
/// the request's field `response` is not used, and no word counts are.
final class InvokeWrite {
    private InvokeWrite() {}

    /// Sends a command.
    ///
    /// @return 0, or a negated error number
    static int send(
            CommandChannel channel,
            String operation,
            Arena arena,
            IbUserVerbsCmd command,
            MemorySegment request,
            MemorySegment response,
            DriverData driver) {
        IoctlCommand envelope = IoctlCommand.of(arena, UverbsMethod.INVOKE_WRITE)
                .constant(UverbsAttribute.WRITE_CMD, Integer.toUnsignedLong(command.command()));
        if (request.byteSize() > 0) {
            envelope.in(UverbsAttribute.CORE_IN, request);
        }
        if (response.byteSize() > 0) {
            envelope.out(UverbsAttribute.CORE_OUT, response);
        }
        return envelope.carrying(operation).driver(driver).send(channel);
    }
}
