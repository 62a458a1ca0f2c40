// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools;

/// Lets a command say that it waits for its peer, for whoever starts the peer in the same process.
public final class Listening {
    private static final ScopedValue<Runnable> LISTENER = ScopedValue.newInstance();

    private Listening() {}

    /// Says so. Nobody hears it unless the command runs within [#run].
    public static void begins() {
        if (LISTENER.isBound()) {
            LISTENER.get().run();
        }
    }

    /// Runs a command.
    ///
    /// @param heard runs when the command says that it waits, perhaps several times
    static void run(Runnable heard, Runnable command) {
        ScopedValue.where(LISTENER, heard).run(command);
    }
}
