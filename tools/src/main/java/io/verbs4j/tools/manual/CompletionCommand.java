// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.manual;

import java.io.PrintWriter;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/// `verbs completion`.
@Command(
        name = "completion",
        header = "Print a shell completion script for bash or zsh.",
        footer = {
                "%nExamples:",
                "  source <(verbs completion)",
                "  verbs completion > ~/.local/share/bash-completion/completions/verbs"
        })
public final class CompletionCommand implements Callable<Integer> {
    private final Supplier<CommandLine> all;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    /// @param all returns the command line with all commands
    public CompletionCommand(Supplier<CommandLine> all) {
        this.all = all;
    }

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        out.print(AutoComplete.bash("verbs", all.get()));
        out.flush();
        return 0;
    }
}
