// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.command;

import io.verbs4j.abi.jfr.FlightRecords;
import io.verbs4j.abi.uapi.IbUserVerbsCmd;
import io.verbs4j.abi.uapi.IbUverbsCmdHdr;
import io.verbs4j.abi.uapi.IbUverbsExCmdHdr;
import io.verbs4j.types.Errno;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// A write command by `write()` on the file: header, request and the driver's request in one buffer (`ib_uverbs_write`,
/// drivers/infiniband/core/uverbs_main.c). The request contains the address of the response; the driver's response
/// follows the core's.
///
/// Lengths are counted in words. A plain command counts everything in words of 4 bytes, including the header. An
/// extended command counts core and driver separately in words of 8 bytes, without headers.
public final class LegacyWrite {
    private static final int PLAIN_WORD = Integer.BYTES;
    private static final int EXTENDED_WORD = Long.BYTES;

    private LegacyWrite() {}

    /// Sends a command.
    ///
    /// @return 0, or a negated errno
    static int send(CommandChannel channel, WriteCommand command) {
        MemorySegment response = command.answer();
        DriverData driver = command.driver;
        MemorySegment answer = command.arena.allocate(response.byteSize() + driver.out().byteSize(), Long.BYTES);
        // The driver may write only a part of its buffer, and expects the rest unchanged.
        answer.asSlice(response.byteSize()).copyFrom(driver.out());
        MemorySegment message = command.command.isExtended() ? extended(command, answer) : plain(command, answer);
        int result = FlightRecords.verbs()
                ? FlightRecords.verb(
                        command.operation, channel.deviceName(),
                        () -> channel.file().write(message),
                        () -> -1)
                : channel.file().write(message);
        int outcome = outcome(result, message);
        if (outcome < 0) {
            return outcome;
        }
        response.copyFrom(answer.asSlice(0, response.byteSize()));
        driver.out().copyFrom(answer.asSlice(response.byteSize()));
        return 0;
    }

    /// Checks that a command was accepted completely. The kernel returns its full length or an error
    /// (`ib_uverbs_write`); any other result is invalid.
    ///
    /// @param result result of `write()`
    /// @param message the whole command
    /// @return 0, or a negated errno: `-EPROTO` for another length
    public static int outcome(int result, MemorySegment message) {
        return result < 0 ? result : result == message.byteSize() ? 0 : -Errno.EPROTO;
    }

    private static MemorySegment plain(WriteCommand command, MemorySegment answer) {
        long head = IbUverbsCmdHdr.STRUCT.size();
        MemorySegment message = message(command, head);
        head(message, command.command, answer.byteSize());
        if (command.answer().byteSize() > 0) {
            // Each request that has a response starts with the field `response`.
            message.set(ValueLayout.JAVA_LONG, head, answer.address());
        }
        return message;
    }

    /// Writes the header of a plain command.
    ///
    /// @param message the whole command
    /// @param answerBytes size of the response
    /// @return the request, after the header
    public static MemorySegment head(MemorySegment message, IbUserVerbsCmd command, long answerBytes) {
        IbUverbsCmdHdr.STRUCT
                .view(message)
                .set("command", command.command())
                .set("in_words", words(message.byteSize(), PLAIN_WORD))
                .set("out_words", words(answerBytes, PLAIN_WORD));
        return message.asSlice(IbUverbsCmdHdr.STRUCT.size());
    }

    private static MemorySegment extended(WriteCommand command, MemorySegment answer) {
        long firstHead = IbUverbsCmdHdr.STRUCT.size();
        MemorySegment message = message(command, firstHead + IbUverbsExCmdHdr.STRUCT.size());
        MemorySegment request = command.request().memory();
        DriverData driver = command.driver;
        IbUverbsCmdHdr.STRUCT
                .view(message)
                .set("command", command.command.command())
                .set("in_words", words(request.byteSize(), EXTENDED_WORD))
                .set("out_words", words(command.answer().byteSize(), EXTENDED_WORD));
        IbUverbsExCmdHdr.STRUCT
                .view(message.asSlice(firstHead))
                .set("response", answer.byteSize() == 0 ? 0 : answer.address())
                .set("provider_in_words", words(driver.in().byteSize(), EXTENDED_WORD))
                .set("provider_out_words", words(driver.out().byteSize(), EXTENDED_WORD));
        return message;
    }

    /// Returns a message: room for the headers, followed by the requests.
    private static MemorySegment message(WriteCommand command, long heads) {
        MemorySegment request = command.request().memory();
        MemorySegment driver = command.driver.in();
        MemorySegment message = command.arena.allocate(heads + request.byteSize() + driver.byteSize(), Long.BYTES);
        message.asSlice(heads, request.byteSize()).copyFrom(request);
        message.asSlice(heads + request.byteSize()).copyFrom(driver);
        return message;
    }

    private static long words(long bytes, int word) {
        if (bytes % word != 0) {
            throw new IllegalArgumentException("write() counts in words of " + word + " bytes: length=" + bytes);
        }
        return bytes / word;
    }
}
