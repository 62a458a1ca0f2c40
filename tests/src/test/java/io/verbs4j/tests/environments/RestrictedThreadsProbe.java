// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.environments;

import io.verbs4j.tests.support.ToolRun;
import io.verbs4j.types.Errno;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/// The program that [RestrictedThreadsIT] starts: runs commands in restricted threads. For each command, it prints a
/// line from [Finished], with the restriction in front of the command.
final class RestrictedThreadsProbe {
    private static final long PATIENCE_MILLIS = 60_000;
    private static final String BETWEEN = ",";

    private RestrictedThreadsProbe() {}

    /// @param arguments names of [RefusedCall] and numbers of capabilities, between commas; and the commands, each with
    ///     its arguments between spaces
    public static void main(String... arguments) throws IOException, InterruptedException {
        List<String> commands = Arrays.asList(arguments).subList(1, arguments.length);
        commands.forEach(command -> ToolRun.of(command.split(" "))); // loads what it needs
        try (var out = new FileOutputStream(FileDescriptor.out)) {
            for (String restriction : arguments[0].split(BETWEEN)) {
                for (String command : commands) {
                    out.write((run(restriction, command).toLine() + "\n").getBytes(StandardCharsets.UTF_8));
                }
            }
        }
        Runtime.getRuntime().halt(0);
    }

    private static Finished run(String restriction, String command) throws InterruptedException {
        String name = restriction + " " + command;
        var result = new Finished[]{
                new Finished(name, PATIENCE_MILLIS, -1, "", "thrown: it does not end, or cannot be restricted")};
        Thread thread = Thread.ofPlatform().daemon().start(() -> {
            restrict(restriction);
            result[0] = Finished.of(name, command);
        });
        thread.join(PATIENCE_MILLIS);
        return result[0];
    }

    private static void restrict(String restriction) {
        if (Character.isDigit(restriction.charAt(0))) {
            ThreadRestriction.drop(Integer.parseInt(restriction));
        } else {
            ThreadRestriction.refuse(RefusedCall.valueOf(restriction).number(), Errno.EPERM);
        }
    }
}
