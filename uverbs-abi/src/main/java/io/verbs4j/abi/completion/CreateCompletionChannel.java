// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.completion;

import io.verbs4j.abi.command.CommandChannel;
import io.verbs4j.abi.command.KernelErrors;
import io.verbs4j.abi.command.Verb;
import io.verbs4j.abi.command.WriteCommand;
import io.verbs4j.abi.device.EventFile;
import io.verbs4j.abi.uapi.IbUserVerbsCmd;
import io.verbs4j.abi.uapi.IbUverbsCreateCompChannel;
import io.verbs4j.abi.uapi.IbUverbsCreateCompChannelResp;
import java.lang.foreign.Arena;

/// Creates a completion channel, by the write command 17; there is no native method. Closing its file destroys it. Its records
/// are [io.verbs4j.abi.uapi.IbUverbsCompEventDesc].
///
/// @see "ibv_create_comp_channel(3)"
public final class CreateCompletionChannel {
    private CreateCompletionChannel() {}

    /// Creates.
    public static EventFile execute(CommandChannel channel) {
        try (Arena arena = Arena.ofConfined()) {
            WriteCommand command = WriteCommand.of(
                    arena,
                    IbUserVerbsCmd.CREATE_COMP_CHANNEL,
                    IbUverbsCreateCompChannel.STRUCT,
                    IbUverbsCreateCompChannelResp.STRUCT);
            KernelErrors.check(Verb.CREATE_COMPLETION_CHANNEL, command.execute(channel));
            return channel.file().eventFile(command.response().getInt("fd"));
        }
    }
}
