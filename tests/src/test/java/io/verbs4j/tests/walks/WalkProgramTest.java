// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.walks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import javax.tools.ToolProvider;
import net.jqwik.api.sessions.JqwikSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The programs that show a failure are programs.
class WalkProgramTest {
    private static final int WALKS = 6;

    @TempDir Path folder;

    @Test
    void compile() {
        JqwikSession.run(() -> {
            var files = new ArrayList<Path>();
            for (long seed = 0; seed < WALKS; seed++) {
                var walk = Walks.of(seed).value();
                var quirks = EnumSet.noneOf(Quirk.class);
                var taken = WalkRun.take(walk, new Oracle(walk.patient(), quirks), quirks, Duration.ZERO);
                files.add(Files.writeString(folder.resolve("Walk" + seed + ".java"), WalkProgram.of(walk, taken)));
            }
            var compiler = ToolProvider.getSystemJavaCompiler();
            var messages = new StringWriter();
            try (var manager = compiler.getStandardFileManager(null, null, null)) {
                boolean compiled = compiler.getTask(
                        messages,
                        manager,
                        null,
                        List.of("-d", folder.toString(), "-classpath", System.getProperty("java.class.path")),
                        null,
                        manager.getJavaFileObjectsFromPaths(files))
                        .call();
                assertThat(compiled).as(messages::toString).isTrue();
            }
        });
    }
}
