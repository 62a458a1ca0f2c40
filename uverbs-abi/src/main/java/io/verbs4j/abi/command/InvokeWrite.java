// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.command;

import io.verbs4j.abi.uapi.IbUserVerbsCmd;
import io.verbs4j.abi.uapi.UverbsAttribute;
import io.verbs4j.abi.uapi.UverbsMethod;
import io.verbs4j.abi.uapi.UverbsObject;
import java.lang.foreign.MemorySegment;

/// A write command inside an ioctl: `UVERBS_METHOD_INVOKE_WRITE`. Request and response are arguments with their own
/// lengths, so the request's field `response` and word counts are not used.
public final class InvokeWrite {
    /// Carries a write command ([IbUserVerbsCmd]).
    public static final UverbsMethod METHOD = UverbsMethod.of(UverbsObject.DEVICE, 0, "INVOKE_WRITE");
    /// Request struct of the write command.
    public static final UverbsAttribute CORE_IN = METHOD.in(0, "CORE_IN");
    /// Response struct of the write command.
    public static final UverbsAttribute CORE_OUT = METHOD.out(1, "CORE_OUT");
    /// Constant: [IbUserVerbsCmd] number, with bit 31 for an extended one.
    public static final UverbsAttribute WRITE_CMD = METHOD.constant(2, "WRITE_CMD");

    private InvokeWrite() {}

    /// Sends a command.
    ///
    /// @return 0, or a negated errno
    static int send(CommandChannel channel, WriteCommand write) {
        IoctlCommand envelope = IoctlCommand.of(write.arena, METHOD)
                .constant(WRITE_CMD, Integer.toUnsignedLong(write.command.command()));
        MemorySegment request = write.request().memory();
        if (request.byteSize() > 0) {
            envelope.in(CORE_IN, request);
        }
        if (write.answer().byteSize() > 0) {
            envelope.out(CORE_OUT, write.answer());
        }
        return envelope.carrying(write.operation).driver(write.driver).send(channel);
    }
}
