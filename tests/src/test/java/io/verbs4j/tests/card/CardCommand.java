// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.card;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.verbs4j.abi.command.LegacyWrite;
import io.verbs4j.abi.device.DeviceFile;
import io.verbs4j.abi.uapi.IbUserVerbsCmd;
import io.verbs4j.abi.uapi.IbUverbsCmdHdr;
import io.verbs4j.abi.uapi.IbUverbsExCmdHdr;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// A write command that the program has sent.
///
/// @param arena lives as long as the command
/// @param core the core's request
/// @param driver the driver's
/// @param answer room for the core's answer
/// @param driverAnswer room for the driver's
record CardCommand(
        Arena arena,
        IbUserVerbsCmd command,
        MemorySegment core,
        MemorySegment driver,
        MemorySegment answer,
        MemorySegment driverAnswer) {
    private static final int EXTENDED_WORD = 8;

    /// Makes rxe execute the command, without the driver's part.
    ///
    /// @return 0, or a negated error number
    int handOn(DeviceFile rxe) {
        MemorySegment message = command.isExtended() ? extended() : plain();
        return LegacyWrite.outcome(rxe.write(message), message);
    }

    private MemorySegment plain() {
        MemorySegment message = arena.allocate(IbUverbsCmdHdr.STRUCT.size() + core.byteSize(), JAVA_LONG.byteSize());
        MemorySegment request = LegacyWrite.head(message, command, answer.byteSize()).copyFrom(core);
        if (answer.byteSize() > 0) {
            request.set(JAVA_LONG, 0, answer.address());
        }
        return message;
    }

    private MemorySegment extended() {
        int heads = IbUverbsCmdHdr.STRUCT.size() + IbUverbsExCmdHdr.STRUCT.size();
        MemorySegment message = arena.allocate(heads + core.byteSize(), JAVA_LONG.byteSize());
        IbUverbsCmdHdr.STRUCT
                .view(message)
                .set("command", command.command())
                .set("in_words", core.byteSize() / EXTENDED_WORD)
                .set("out_words", answer.byteSize() / EXTENDED_WORD);
        IbUverbsExCmdHdr.STRUCT
                .view(message.asSlice(IbUverbsCmdHdr.STRUCT.size()))
                .set("response", answer.address());
        message.asSlice(heads).copyFrom(core);
        return message;
    }
}
