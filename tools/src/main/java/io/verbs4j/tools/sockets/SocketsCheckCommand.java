// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.sockets;

import io.verbs4j.abi.memory.LockedMemory;
import io.verbs4j.tools.common.CNumber;
import io.verbs4j.tools.common.Findings;
import io.verbs4j.tools.common.Json;
import io.verbs4j.tools.common.JsonOption;
import io.verbs4j.tools.programs.JavaPrograms;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `verbs sockets check`.
@Command(
        name = "check",
        header = "Explain and check the start line of a Java program for sockets over RDMA.",
        description = {
                "%nDoes not start the program. Includes the options in the environment variables JAVA_TOOL_OPTIONS and"
                        + " JDK_JAVA_OPTIONS. Does not read files with options (@file).%n"
        },
        exitCodeList = {"3:there are warnings", "4:there are errors: the program would use TCP, or fail"},
        footer = {
                "%nExamples:",
                "  verbs sockets check java -javaagent:verbs4j-bundle-VERSION.jar=rules -cp 'lib/*' org.example.Main",
                "  verbs sockets check --pid 4711     the line by which this program was started"
        })
final class SocketsCheckCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Parameters(arity = "0..*", paramLabel = "java <option>…",
            description = "The command line that starts the program.") private List<String> words = List.of();

    @Option(names = "--pid", paramLabel = "<pid>", converter = CNumber.Positive.class,
            description = "Check the start line of this running program.") private @Nullable Integer pid;

    @Mixin private final JsonOption json = new JsonOption();

    @Override
    public Integer call() {
        if (words.isEmpty() == (pid == null)) {
            throw new ParameterException(spec.commandLine(), "name a start line, or --pid");
        }
        JavaPrograms.Start start = pid == null
                ? new JavaPrograms.Start(words, System.getenv(), Path.of(""), LockedMemory.ofThisProcess())
                : JavaPrograms.ofSystem().start(pid);
        StartLine line = StartLine.parse(start.words(), start.environment(), start.folder());
        var findings = new Findings();
        List<String> missing = new StartLineCheck(line, findings).run(start.memory());
        String better = missing.isEmpty() ? null : line.with(missing);
        PrintWriter out = spec.commandLine().getOut();
        if (json.isSet()) {
            var result = new LinkedHashMap<String, @Nullable Object>();
            result.put("findings", findings.all());
            result.put("startLine", better);
            out.println(Json.pretty(result));
        } else {
            Findings.print(findings.all(), out, spec.commandLine().getColorScheme().ansi());
            if (better != null) {
                out.println();
                out.println(better);
            }
        }
        out.flush();
        return findings.worst().exitCode();
    }
}
