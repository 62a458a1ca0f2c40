// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.tools;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.tests.support.ExternalProcess;
import io.verbs4j.tests.support.JavaProcess;
import io.verbs4j.tools.Main;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A command that runs as a process prints all that it has to say, to the last line.
class WholeOutputTest {
    private static final Duration LIMIT = Duration.ofSeconds(120);

    @ParameterizedTest
    @ValueSource(strings = {"abi list", "abi commands", "abi show ib_uverbs_modify_qp"})
    void isWhatTheCommandWrites(String arguments) {
        String[] words = arguments.split(" ");
        var written = new StringWriter();
        Main.commandLine(words).setOut(new PrintWriter(written, true)).execute(words);
        var command = new ArrayList<>(JavaProcess.command(Main.class));
        command.addAll(List.of(words));

        ExternalProcess.Result process = ExternalProcess.of(command).run(LIMIT).requireSuccess();

        assertThat(process.output()).isNotBlank().isEqualToNormalizingNewlines(written.toString());
    }
}
