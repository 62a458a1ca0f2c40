// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools;

import io.verbs4j.abi.host.Host;

/// Lets a command say that it waits for its peer, for whoever starts the peer in the same process.
public final class Listening {
    private static final ScopedValue<Runnable> LISTENER = ScopedValue.newInstance();

    private Listening() {}

    /// Reports that the command waits for its peer. Has no effect outside of [#run] and [#alone].
    ///
    /// @throws ToolException if no other program can reach this process's devices, and nothing else runs in it
    public static void begins() {
        if (LISTENER.isBound()) {
            LISTENER.get().run();
        }
    }

    /// Runs a command that is all that its process does.
    static void alone(Runnable command) {
        run(Listening::requireReachable, command);
    }

    private static void requireReachable() {
        Host.current().isolation().ifPresent(reason -> {
            throw new ToolException("nothing can answer this command: " + reason);
        });
    }

    /// Runs a command.
    ///
    /// @param heard runs when the command says that it waits, perhaps several times
    static void run(Runnable heard, Runnable command) {
        ScopedValue.where(LISTENER, heard).run(command);
    }
}
