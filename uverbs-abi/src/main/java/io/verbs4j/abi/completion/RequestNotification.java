// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.completion;

import static io.verbs4j.abi.uapi.CStruct.u32;

import io.verbs4j.abi.command.CommandChannel;
import io.verbs4j.abi.command.CommandSpecification;
import io.verbs4j.abi.command.LegacyWrite;
import io.verbs4j.abi.jfr.FlightRecords;
import io.verbs4j.abi.uapi.CStruct;
import io.verbs4j.abi.uapi.IbUserVerbsCmd;
import io.verbs4j.abi.uapi.IbUverbsCmdHdr;
import io.verbs4j.abi.uapi.UapiHeader;
import io.verbs4j.abi.uapi.UverbsObject;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// Arms a completion queue: its next completion raises one event on its channel. By write command 23; it has no native
/// method. It is always sent by `write()`, and prepared once, because a waiting thread arms the queue for each message.
///
/// A completion that is already waiting raises no event: arm first, then poll again, then wait.
///
/// @see "ibv_req_notify_cq(3)"
public final class RequestNotification {
    private static final CStruct REQUEST = CStruct.of(
            UapiHeader.IB_USER_VERBS,
            "ib_uverbs_req_notify_cq",
            u32("cq_handle"),
            u32("solicited_only", "0 or 1"));

    /// The write command.
    public static final IbUserVerbsCmd WRITE = IbUserVerbsCmd.of(23, "REQ_NOTIFY_CQ", REQUEST);
    /// Describes the command.
    public static final CommandSpecification SPECIFICATION = CommandSpecification.of("request notification")
            .write(WRITE, "2.6.15")
            .changes(UverbsObject.CQ);

    private final CommandChannel channel;
    private final MemorySegment forAll;
    private final MemorySegment forSolicited;

    /// Prepares both kinds of the command for a queue.
    ///
    /// @param handle the queue's handle
    public RequestNotification(CommandChannel channel, int handle) {
        this.channel = channel;
        this.forAll = command(handle, 0);
        this.forSolicited = command(handle, 1);
    }

    /// The memory lives as long as this object, since another thread may close the queue meanwhile.
    private static MemorySegment command(int handle, int solicitedOnly) {
        int length = IbUverbsCmdHdr.STRUCT.size() + REQUEST.size();
        MemorySegment memory = Arena.ofAuto().allocate(length, Long.BYTES);
        REQUEST
                .view(LegacyWrite.head(memory, WRITE, 0))
                .set("cq_handle", handle)
                .set("solicited_only", solicitedOnly);
        return memory;
    }

    /// Arms the queue. Thread-safe.
    ///
    /// @param solicitedOnly whether only receives of solicited messages raise an event; on rxe, failed ones then raise
    ///     none
    public void execute(boolean solicitedOnly) {
        MemorySegment command = solicitedOnly ? forSolicited : forAll;
        int result = FlightRecords.verbs()
                ? FlightRecords.verb(
                        SPECIFICATION.operation(), channel.deviceName(),
                        () -> channel.file().write(command), () -> -1)
                : channel.file().write(command);
        int outcome = LegacyWrite.outcome(result, command);
        if (outcome < 0) {
            SPECIFICATION.check(outcome);
        }
    }
}
