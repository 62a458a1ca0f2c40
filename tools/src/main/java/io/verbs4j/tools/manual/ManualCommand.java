// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.manual;

import io.verbs4j.tools.common.IoFailure;
import io.verbs4j.tools.common.ToolException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `verbs manual`.
@Command(
        name = "manual",
        header = "Write manual pages of all commands.",
        footer = {
                "%nExample:",
                "  verbs manual ~/.local/share/man/man1     then: man verbs, man verbs-perf"
        })
public final class ManualCommand implements Callable<Integer> {
    private final Supplier<CommandLine> all;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Parameters(
            paramLabel = "<folder>",
            description = "Target folder; created if missing.")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private Path folder;

    /// @param all returns the command line with all commands
    public ManualCommand(Supplier<CommandLine> all) {
        this.all = all;
    }

    @Override
    public Integer call() {
        try {
            Files.createDirectories(folder);
            write(all.get());
        } catch (IOException e) {
            throw new ToolException("cannot write to " + folder + ": " + IoFailure.reason(e));
        }
        return 0;
    }

    private void write(CommandLine command) throws IOException {
        Path file = folder.resolve(ManualPage.name(command) + ".1");
        Files.writeString(file, ManualPage.of(command));
        spec.commandLine().getOut().println(file);
        for (CommandLine each : command.getSubcommands().values()) {
            write(each);
        }
        spec.commandLine().getOut().flush();
    }
}
