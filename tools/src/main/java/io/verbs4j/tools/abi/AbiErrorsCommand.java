// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.abi;

import io.verbs4j.abi.failure.GeneralCauses;
import io.verbs4j.abi.failure.Operation;
import io.verbs4j.types.Errno;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `verbs abi errors`.
@Command(
        name = "errors",
        header = "Explain error numbers and their remedies.",
        description = {
                "%nFor a verb, shows first the error numbers with a specific meaning there, then the general meanings."
                        + " For an error, shows first its meaning for specific verbs, then its general meaning.%n"})
final class AbiErrorsCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Parameters(paramLabel = "<verb or error>",
            description = "A verb such as create-queue-pair, or a part of its name; or an error such as ETIMEDOUT, or"
                    + " its number.") private String name =
                            "";

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        OptionalInt error = ErrorNumbers.find(name);
        if (error.isPresent()) {
            printError(out, error.getAsInt());
            out.flush();
            return 0;
        }
        for (Operation verb : VerbNames.find(VerbNames.all(), name)) {
            out.println(verb.operation());
            print(out, verb, true);
            out.println("  as for every verb:");
            print(out, verb, false);
        }
        out.flush();
        return 0;
    }

    private static void printError(PrintWriter out, int errno) {
        out.println(Errno.describe(errno));
        boolean particular = false;
        for (Operation operation : VerbNames.all()) {
            String text = operation.causes().getOrDefault(errno, "");
            if (!text.isEmpty()) {
                out.println("  " + operation.operation());
                out.println("      " + text);
                particular = true;
            }
        }
        String other = particular ? "every other " : "every ";
        boolean ofVerbs = printGeneral(out, other + "verb", GeneralCauses.OF_VERBS, errno);
        boolean ofManager = printGeneral(
                out, other + "command of the connection manager", GeneralCauses.OF_CONNECTION_MANAGER, errno);
        if (!ofVerbs && !ofManager && !particular) {
            out.println("  no verb is known to fail with this error");
        }
    }

    private static boolean printGeneral(PrintWriter out, String whose, Map<Integer, String> causes, int errno) {
        String text = causes.getOrDefault(errno, "");
        if (!text.isEmpty()) {
            out.println("  " + whose);
            out.println("      " + text);
        }
        return !text.isEmpty();
    }

    private static void print(PrintWriter out, Operation verb, boolean specific) {
        for (int errno = 1; errno <= ErrorNumbers.LAST; errno++) {
            String text = verb.documentedCause(errno);
            if (!text.isEmpty() && verb.causes().containsKey(errno) == specific) {
                out.println("  " + Errno.describe(errno));
                out.println("      " + text);
            }
        }
    }

    /// Finds error numbers by the user's input: `ETIMEDOUT`, `etimedout` or `110`.
    private static final class ErrorNumbers {
        /// Greater than all error numbers of verbs.
        static final int LAST = 133;

        private ErrorNumbers() {}

        /// Returns the number of an error; empty if it is unknown.
        static OptionalInt find(String word) {
            String wanted = word.strip().toUpperCase(Locale.ROOT);
            for (int errno = 1; errno <= LAST; errno++) {
                if (wanted.equals(Errno.name(errno)) || wanted.equals(String.valueOf(errno))) {
                    return OptionalInt.of(errno);
                }
            }
            return OptionalInt.empty();
        }
    }
}
