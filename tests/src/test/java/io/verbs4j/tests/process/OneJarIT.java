// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.ExternalProcess;
import io.verbs4j.tests.support.JavaProcess;
import io.verbs4j.tests.support.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// One jar and a device node are enough, and the program that the README shows works as it stands there.
@DeviceTest
class OneJarIT {
    private static final Pattern JAVA_BLOCK = Pattern.compile("```java\\n(.*?)```", Pattern.DOTALL);
    /// The compiler is interpreted at first, in an emulated guest.
    private static final Duration LIMIT = Duration.ofSeconds(90);

    @Test
    void runsTheProgramOfTheReadme(@TempDir Path folder) throws IOException {
        Path source = Files.writeString(folder.resolve("Hello.java"), programOfTheReadme());

        ExternalProcess.Result result = ExternalProcess
                .of(JavaProcess.ofSource(source, Repository.file("bundle/target") + "/*"))
                .run(LIMIT)
                .requireSuccess();

        List<String> lines = result.output().lines().toList();
        assertThat(lines).as(result::toString).hasSize(4).last().isEqualTo("Hello, RDMA / Hello, RDMA");
        assertThat(lines.subList(0, 3))
                .map(line -> line.substring(line.indexOf(": ")))
                .containsExactlyInAnyOrder(": RECEIVE, 64 bytes", ": SEND, 64 bytes", ": RDMA_WRITE, 64 bytes");
    }

    private static String programOfTheReadme() throws IOException {
        var block = JAVA_BLOCK.matcher(Files.readString(Repository.file("README.md")));
        assertThat(block.find()).as("a program in README.md").isTrue();
        return block.group(1);
    }
}
