// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.common;

import io.verbs4j.abi.host.Host;

/// Lets a command report that it waits for its peer, to code that starts the peer in the same process.
public final class Listening {
    private static final ScopedValue<Runnable> LISTENER = ScopedValue.newInstance();

    private Listening() {}

    /// Reports that the command waits for its peer. Has no effect outside of [#run] and [#alone].
    ///
    /// @throws ToolException if the command runs alone, and no other program can reach this process's devices
    public static void begins() {
        if (LISTENER.isBound()) {
            LISTENER.get().run();
        }
    }

    /// Runs a command that is alone in its process.
    public static void alone(Runnable command) {
        run(Listening::requireReachable, command);
    }

    private static void requireReachable() {
        Host.current().isolation().ifPresent(reason -> {
            throw new ToolException("nothing can answer this command: " + reason);
        });
    }

    /// Runs a command.
    ///
    /// @param heard runs when the command reports that it waits; may run several times
    public static void run(Runnable heard, Runnable command) {
        ScopedValue.where(LISTENER, heard).run(command);
    }
}
