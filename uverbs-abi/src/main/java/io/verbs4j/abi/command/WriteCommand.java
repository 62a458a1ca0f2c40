// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.command;

import io.verbs4j.abi.uapi.CView;
import io.verbs4j.abi.uapi.IbUserVerbsCmd;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// One command of the older interface: a number, a request struct and a response struct. It is sent inside an ioctl
/// ([InvokeWrite]) or by `write()` ([LegacyWrite]), depending on the channel; the structs are the same.
///
/// Used once, by the thread that built it.
public final class WriteCommand {
    final Arena arena;
    final String operation;
    final IbUserVerbsCmd command;
    private final CView request;
    private final @Nullable CView response;
    DriverData driver = DriverData.NONE;

    private WriteCommand(
            Arena arena, String operation, IbUserVerbsCmd command, CView request, @Nullable CView response) {
        this.arena = arena;
        this.operation = operation;
        this.command = command;
        this.request = request;
        this.response = response;
    }

    /// Starts a command by its plain write command; request and response are zeroed.
    ///
    /// @param arena contains both; confined to the calling thread
    public static WriteCommand of(Arena arena, CommandSpecification specification) {
        return of(arena, specification, specification.write());
    }

    /// Starts a command by one of its write commands; request and response are zeroed.
    ///
    /// @param arena contains both; confined to the calling thread
    public static WriteCommand of(Arena arena, CommandSpecification specification, IbUserVerbsCmd command) {
        return new WriteCommand(
                arena,
                specification.operation(),
                command,
                command.request().view(command.request().allocate(arena)),
                command.response().map(struct -> struct.view(struct.allocate(arena))).orElse(null));
    }

    /// Starts a command without its request. The kernel refuses such a command.
    ///
    /// @param arena confined to the calling thread
    static WriteCommand empty(Arena arena, CommandSpecification specification) {
        IbUserVerbsCmd command = specification.write();
        return new WriteCommand(
                arena, specification.operation(), command, command.request().view(MemorySegment.NULL), null);
    }

    /// Adds the driver-specific part.
    public WriteCommand driver(DriverData data) {
        driver = data;
        return this;
    }

    /// Sets a number in the request.
    public WriteCommand set(String field, long value) {
        request.set(field, value);
        return this;
    }

    /// Returns the request, to be filled in.
    public CView request() {
        return request;
    }

    /// Returns the response, to be read after success.
    ///
    /// @throws IllegalStateException if the command has none
    public CView response() {
        if (response == null) {
            throw new IllegalStateException(command.cName() + " has no response");
        }
        return response;
    }

    /// Sends the command.
    ///
    /// @return 0, or a negated errno
    public int execute(CommandChannel channel) {
        return channel.transport() == Transport.WRITE
                ? executeByWrite(channel)
                : InvokeWrite.send(channel, this);
    }

    /// Sends the command by `write()`, regardless of the channel's preference.
    ///
    /// @return 0, or a negated errno
    public int executeByWrite(CommandChannel channel) {
        return LegacyWrite.send(channel, this);
    }

    /// Returns the memory of the response; empty if the command has none.
    MemorySegment answer() {
        return response == null ? MemorySegment.NULL : response.memory();
    }
}
