// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.simulator;

import io.verbs4j.types.Errno;
import io.verbs4j.types.VerbsException;

/// The result of a command that the simulated kernel accepts or refuses.
final class CommandResult {
    /// No error.
    static final String ACCEPTED = "-";

    private CommandResult() {}

    /// Runs a command, and returns the name of its error, or [#ACCEPTED].
    static String errno(Runnable command) {
        try {
            command.run();
            return ACCEPTED;
        } catch (VerbsException e) {
            return Errno.name(e.errno());
        }
    }
}
