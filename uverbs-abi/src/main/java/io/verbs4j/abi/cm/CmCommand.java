// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.cm;

import io.verbs4j.abi.command.CommandSpecification;
import io.verbs4j.abi.device.DeviceFile;
import io.verbs4j.abi.uapi.CStruct;
import io.verbs4j.abi.uapi.CView;
import io.verbs4j.abi.uapi.RdmaUcmCmd;
import io.verbs4j.abi.uapi.RdmaUcmCmdHdr;
import io.verbs4j.types.Errno;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// One command to the connection manager: a header, a request struct, and a buffer for the response, whose address is
/// in the request.
///
/// Used once, by the thread that built it.
final class CmCommand {
    private static final String RESPONSE = "response";

    private final CommandSpecification specification;
    private final MemorySegment message;
    private final CView request;
    private final MemorySegment answer;

    private CmCommand(Arena arena, CommandSpecification specification, long answerBytes) {
        RdmaUcmCmd command = specification.connectionManager();
        int head = RdmaUcmCmdHdr.STRUCT.size();
        this.specification = specification;
        long messageBytes = (long) head + command.request().size();
        long answerOffset = Math.ceilDiv(messageBytes, Long.BYTES) * Long.BYTES;
        MemorySegment memory = arena.allocate(answerOffset + answerBytes, Long.BYTES);
        this.message = memory.asSlice(0, messageBytes);
        this.request = command.request().view(memory.asSlice(head, command.request().size()));
        this.answer = answerBytes == 0 ? MemorySegment.NULL : memory.asSlice(answerOffset, answerBytes);
        RdmaUcmCmdHdr.STRUCT
                .view(message)
                .set("cmd", command.number())
                .set("in", command.request().size())
                .set("out", answerBytes);
        if (answerBytes > 0) {
            request.set(RESPONSE, answer.address());
        }
    }

    /// Starts a command with a zeroed request and response.
    ///
    /// @param arena contains both; confined to the calling thread
    static CmCommand of(Arena arena, CommandSpecification specification) {
        return new CmCommand(
                arena, specification, specification.connectionManager().response().map(CStruct::size).orElse(0));
    }

    /// Starts a command whose response has another length than usual.
    static CmCommand of(Arena arena, CommandSpecification specification, long answerBytes) {
        return new CmCommand(arena, specification, answerBytes);
    }

    /// Sets a number in the request.
    CmCommand set(String field, long value) {
        request.set(field, value);
        return this;
    }

    /// Returns the request, to be filled in.
    CView request() {
        return request;
    }

    /// Returns the response, to be read after success.
    CView answer() {
        return specification.connectionManager().response().orElseThrow().view(answer);
    }

    /// Returns the response's bytes.
    MemorySegment answerBytes() {
        return answer;
    }

    /// Sends the command.
    ///
    /// @return 0, or a negated errno: `-EPROTO` if the kernel accepted another number of bytes than the whole command
    int execute(DeviceFile file) {
        int result = file.write(message);
        return result < 0 ? result : result == message.byteSize() ? 0 : -Errno.EPROTO;
    }

    /// Sends the command.
    ///
    /// @throws io.verbs4j.types.VerbsException if the kernel refuses
    CmCommand send(DeviceFile file) {
        specification.check(execute(file));
        return this;
    }
}
