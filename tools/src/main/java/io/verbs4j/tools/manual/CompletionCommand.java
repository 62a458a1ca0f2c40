// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.manual;

import io.verbs4j.tools.Main;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.AutoComplete;
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
    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        out.print(AutoComplete.bash("verbs", Main.commandLine()));
        out.flush();
        return 0;
    }
}
