// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.bench;

import io.verbs4j.tools.Main;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/// Runs commands of `tools/verbs` one after another in one process, so that code compiled for one command is available
/// to the next. Reads one command per line from standard input. Answers with its output, each line after `| `, and a
/// line `= EXIT_CODE PROCESSOR_NANOSECONDS COMPILER_NANOSECONDS`. The first time is that of the command's thread. The
/// second one is that of the JVM's compilers since the previous answer. The system property `bench.maps` sets a file
/// for the process's memory map, to which the process's number is appended.
final class WarmTools {
    private WarmTools() {}

    static void main() throws IOException {
        String maps = System.getProperty("bench.maps");
        if (maps != null) {
            Files.copy(Path.of("/proc/self/maps"), Path.of(maps + "-" + ProcessHandle.current().pid()));
        }
        var threads = ManagementFactory.getThreadMXBean();
        CompilationMXBean compilers = ManagementFactory.getCompilationMXBean();
        long compiled = 0;
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
            long compiling = compilers.getTotalCompilationTime() - compiled;
            compiled += compiling;
            System.out.print(answer.append("= " + code + " " + used + " " + 1_000_000 * compiling + "\n"));
            System.out.flush();
        }
    }
}
