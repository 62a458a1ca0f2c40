// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.completion;

import static io.verbs4j.abi.uapi.CStruct.u32;
import static io.verbs4j.abi.uapi.CStruct.u64;

import io.verbs4j.abi.command.CommandChannel;
import io.verbs4j.abi.command.CommandSpecification;
import io.verbs4j.abi.command.WriteCommand;
import io.verbs4j.abi.device.EventFile;
import io.verbs4j.abi.uapi.CStruct;
import io.verbs4j.abi.uapi.IbUserVerbsCmd;
import io.verbs4j.abi.uapi.UapiHeader;
import io.verbs4j.abi.uapi.UverbsObject;
import java.lang.foreign.Arena;

/// Creates a completion channel, by write command 17; it has no native method. Closing its file destroys it. Its
/// records are [io.verbs4j.abi.uapi.IbUverbsCompEventDesc].
///
/// @see "ibv_create_comp_channel(3)"
public final class CreateCompletionChannel {
    private static final CStruct REQUEST = CStruct.of(
            UapiHeader.IB_USER_VERBS,
            "ib_uverbs_create_comp_channel",
            u64("response", "address of the response buffer of a write(); 0 inside an ioctl"));
    private static final CStruct RESPONSE = CStruct.of(
            UapiHeader.IB_USER_VERBS,
            "ib_uverbs_create_comp_channel_resp",
            u32("fd", "file descriptor that the events are read from"));

    /// The write command.
    public static final IbUserVerbsCmd WRITE =
            IbUserVerbsCmd.of(17, "CREATE_COMP_CHANNEL", REQUEST,
                    RESPONSE);
    /// Describes the command.
    public static final CommandSpecification SPECIFICATION = CommandSpecification.of("create completion channel")
            .write(WRITE, "2.6.15")
            .makes(UverbsObject.COMP_CHANNEL);

    private CreateCompletionChannel() {}

    /// Creates a channel.
    public static EventFile execute(CommandChannel channel) {
        try (Arena arena = Arena.ofConfined()) {
            WriteCommand command = WriteCommand.of(arena, SPECIFICATION);
            SPECIFICATION.check(command.execute(channel));
            return channel.file().eventFile(command.response().getInt("fd"));
        }
    }
}
