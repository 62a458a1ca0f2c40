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
import java.util.concurrent.atomic.AtomicInteger;

/// The program that [RestrictedThreadsIT] starts: runs commands in restricted threads. For each command, it prints a
/// line from [Finished], with the restriction in front of the command.
final class RestrictedThreadsProbe {
    private static final long TIMEOUT_MILLIS = 60_000;
    private static final String BETWEEN = ",";
    private static final AtomicInteger NEXT_PORT = new AtomicInteger(18_600);

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
                new Finished(name, TIMEOUT_MILLIS, -1, "", "thrown: it does not end, or cannot be restricted")};
        Thread thread = Thread.ofPlatform().daemon().start(() -> {
            restrict(restriction);
            result[0] = Finished.of(name, withPort(command));
        });
        thread.join(TIMEOUT_MILLIS);
        return result[0];
    }

    /// Gives each pair its own TCP port: the server of a pair that failed may still listen.
    private static String withPort(String command) {
        return command.replace("pingpong ", "pingpong -p " + NEXT_PORT.getAndIncrement() + " ");
    }

    private static void restrict(String restriction) {
        if (Character.isDigit(restriction.charAt(0))) {
            ThreadRestriction.drop(Integer.parseInt(restriction));
        } else {
            ThreadRestriction.refuse(RefusedCall.valueOf(restriction).number(), Errno.EPERM);
        }
    }
}
