// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.bench;

import io.verbs4j.tools.Main;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/// Runs commands of `tools/verbs`, one after the other in one process, so that what one command has made the compiler compile
/// is there for the next. Reads a command a line from standard input and answers by its output, each line behind `| `, and a
/// line `= EXIT_CODE PROCESSOR_NANOSECONDS`. The time is that of the thread that runs the command: without the compiler's, which
/// works for the commands to come as well. The system property `bench.maps` names a file for the process's map of memory, to which
/// its number is added.
final class WarmTools {
    private WarmTools() {}

    static void main() throws IOException {
        String maps = System.getProperty("bench.maps");
        if (maps != null) {
            Files.copy(Path.of("/proc/self/maps"), Path.of(maps + "-" + ProcessHandle.current().pid()));
        }
        var threads = ManagementFactory.getThreadMXBean();
        var lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line; (line = lines.readLine()) != null;) {
            var output = new StringWriter();
            var writer = new PrintWriter(output);
            long before = threads.getCurrentThreadCpuTime();
            String[] arguments = line.split(" ");
            int code = Main.commandLine(arguments).setOut(writer).setErr(writer).execute(arguments);
            long used = threads.getCurrentThreadCpuTime() - before;
            writer.flush();
            var answer = new StringBuilder();
            output.toString().lines().forEach(text -> answer.append("| ").append(text).append('\n'));
            System.out.print(answer.append("= " + code + " " + used + "\n"));
            System.out.flush();
        }
    }
}
