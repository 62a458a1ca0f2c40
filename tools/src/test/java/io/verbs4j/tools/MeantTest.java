// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedWriter;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/// Words that are not quite what a command takes.
class MeantTest {
    private final StringWriter output = new StringWriter();
    private final StringWriter errors = new StringWriter();

    private int run(String... arguments) {
        return Main.run(new PrintWriter(output), new PrintWriter(errors), arguments);
    }

    @Test
    void namesTheCommandThatWasMeant() {
        assertThat(run("devcies")).isEqualTo(2);
        assertThat(errors.toString()).contains("unknown command 'devcies'; did you mean devices?",
                "try: verbs --help");
    }

    @Test
    void namesAllCommandsIfNoneIsNear() {
        assertThat(run("foo")).isEqualTo(2);
        assertThat(errors.toString()).contains("unknown command 'foo'; there are devices, devinfo, ", ", manual")
                .doesNotContain("did you mean");
    }

    @Test
    void namesTheCommandWithinACommand() {
        assertThat(run("abi", "shwo")).isEqualTo(2);
        assertThat(errors.toString()).contains("verbs abi: unknown command 'shwo'; did you mean show?");
    }

    @Test
    void explainsAnErrorByItsName() {
        assertThat(run("abi", "errors", "ETIMEDOUT")).isZero();
        assertThat(output.toString()).startsWith("ETIMEDOUT (110, ").contains("modify queue pair", "did not respond");
    }

    @Test
    void explainsAnErrorByItsNumber() {
        assertThat(run("abi", "errors", "9")).isZero();
        assertThat(output.toString()).startsWith("EBADF (9, ").contains("every other verb", "the device is closed");
    }

    /// Otherwise the errors of a waiting command would appear when another command prints something.
    @Test
    void errorsOfACommandAmongOthersAppearAtOnce() {
        var seen = new ArrayList<String>();
        var together = new TogetherCommand((out, err, words) -> {
            err.println("waiting");
            seen.add(errors.toString());
            return 0;
        });
        int code = new CommandLine(together).setErr(new PrintWriter(new BufferedWriter(errors), true)).execute("a");
        assertThat(code).isZero();
        assertThat(seen).containsExactly("1| waiting" + System.lineSeparator());
    }

    @Test
    void saysThatNoVerbFailsSo() {
        assertThat(run("abi", "errors", "EMSGSIZE")).isZero();
        assertThat(output.toString()).contains("no verb is known to fail with this error");
    }
}
