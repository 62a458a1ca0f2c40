// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.doctor.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.tools.common.ToolException;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProgramTest {
    @TempDir private Path folder;

    private Program run(String script) throws IOException {
        Path output = folder.resolve("output");
        return new Program.InC(
                "ibv_program",
                new ProcessBuilder("sh", "-c", script).redirectOutput(output.toFile()).start(),
                output);
    }

    @Test
    void returnsWhatAProgramInCPrints() throws Exception {
        assertThat(run("echo text").await(60)).isEqualTo("text\n");
    }

    @Test
    void saysHowAProgramInCHasFailed() throws Exception {
        Program failed = run("echo text; exit 3");
        assertThatThrownBy(() -> failed.await(60)).isInstanceOf(ToolException.class)
                .hasMessage("ibv_program ended with exit code 3: text");
        Program late = run("exec sleep 60");
        assertThatThrownBy(() -> late.await(0)).isInstanceOf(ToolException.class)
                .hasMessage("ibv_program did not finish within 0 s: ");
        late.close();
    }
}
