// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.abi;

import io.verbs4j.abi.command.ErrorCatalogue;
import io.verbs4j.abi.command.Verb;
import io.verbs4j.types.Errno;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `verbs abi errors`.
@Command(
        name = "errors",
        header = "Show what the error numbers of a verb mean, and what to do about them.",
        description = {"%nFirst those that mean something particular here, then what numbers mean for every verb.%n"})
final class AbiErrorsCommand implements Callable<Integer> {
    /// Above all error numbers that verbs give.
    private static final int LAST = 133;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Parameters(paramLabel = "<verb>",
            description = "Such as create-queue-pair; a part of the name will do.") private String name = "";

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        for (Verb verb : VerbNames.find(name)) {
            out.println(verb.operation());
            print(out, verb, true);
            out.println("  as for every verb:");
            print(out, verb, false);
        }
        out.flush();
        return 0;
    }

    private static void print(PrintWriter out, Verb verb, boolean specific) {
        for (int errno = 1; errno <= LAST; errno++) {
            String text = ErrorCatalogue.explain(verb, errno);
            if (!text.isEmpty() && ErrorCatalogue.isSpecific(verb, errno) == specific) {
                out.println("  " + Errno.describe(errno));
                out.println("      " + text);
            }
        }
    }
}
