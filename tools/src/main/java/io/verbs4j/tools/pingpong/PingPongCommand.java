// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.pingpong;

import java.util.concurrent.Callable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/// The common exit handling of all ping-pong commands.
abstract class PingPongCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    /// Runs the ping-pong.
    ///
    /// @return whether it succeeded
    /// @throws FailedCompletion if a work request failed
    abstract boolean play(Console console);

    @Override
    public final Integer call() {
        var commandLine = spec.commandLine();
        var console = new Console(commandLine.getOut(), commandLine.getErr());
        try {
            return play(console) ? 0 : 1;
        } catch (FailedCompletion e) {
            console.failed(e);
            return 1;
        }
    }
}
