// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.common;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

class EachDeviceTest {
    private final StringWriter err = new StringWriter();
    private final List<String> asked = new ArrayList<>();

    private int ask(String... devices) {
        var command = new CommandLine(CommandSpec.create().name("gids")).setErr(new PrintWriter(err, true));
        return EachDevice.ask(command.getCommandSpec(), List.of(devices), Function.identity(), device -> {
            if (device.startsWith("broken")) {
                throw new ToolException("it does not open");
            }
            asked.add(device);
        });
    }

    @Test
    void aDeviceThatCannotBeAskedIsReportedAndTheOthersAreAsked() {
        assertThat(ask("rxe0", "broken0", "rxe1")).isEqualTo(1);
        assertThat(asked).containsExactly("rxe0", "rxe1");
        assertThat(err.toString()).isEqualTo("gids: broken0: it does not open\n");
    }

    @Test
    void theOnlyDeviceFailsAsTheCommandDoes() {
        assertThatThrownBy(() -> ask("broken0")).isInstanceOf(ToolException.class).hasMessage("it does not open");
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void nothingIsReportedWhenAllAnswer() {
        assertThat(ask("rxe0", "rxe1")).isZero();
        assertThat(err.toString()).isEmpty();
    }
}
