// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.peers;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.ExternalProcess;
import io.verbs4j.tests.support.JavaProcess;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.tests.support.RealKernel;
import io.verbs4j.tests.support.Repository;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// IBM's jNVMf, a library in Java for remote disks that uses DiSNI, with the kernel's NVMe target.
@DeviceTest
@RealKernel("the kernel's NVMe target")
@Needs.OneKernel
@Needs.LongRun("Java processes of their own")
class NvmeTargetIT {
    private static final Duration LIMIT = Duration.ofSeconds(200);

    private static NvmeTarget target;

    @BeforeAll
    static void start() throws Exception {
        target = NvmeTarget.start();
    }

    @AfterAll
    static void stop() {
        target.close();
    }

    /// Returns the command of a program with jNVMf on its class path.
    ///
    /// @param main name of the main class, or a source file
    private static List<String> program(String main, String... arguments) {
        var command = new ArrayList<>(JavaProcess.command(
                main, DisniPrograms.classPath("disni-2.1", "jnvmf-1.6", "jnvmf-1.6-tests")));
        // jNVMf itself uses this package. Without "legacy", Linux refuses its connect command.
        command.addAll(1, List.of("--add-exports", "java.base/sun.nio.ch=ALL-UNNAMED", "-Djnvmf.legacy=true",
                "-DdestinationAddress=" + NvmeTarget.ADDRESS, "-DlocalAddress=10.9.0.1", "-Dnqn=" + NvmeTarget.NAME,
                "-Dport=" + NvmeTarget.PORT));
        command.addAll(List.of(arguments));
        return command;
    }

    @Test
    void theExampleReadsTheDisk() throws Exception {
        String text = "Written by the kernel's own device\n";
        var block = ByteBuffer.wrap(text.repeat(NvmeTarget.BLOCK_BYTES / text.length() + 1)
                .getBytes(StandardCharsets.US_ASCII), 0, NvmeTarget.BLOCK_BYTES);
        try (var disk = FileChannel.open(NvmeTarget.DISK, StandardOpenOption.WRITE)) {
            disk.write(block, 1000L * NvmeTarget.BLOCK_BYTES);
            disk.force(true);
        }
        var run = ExternalProcess.of(program(
                Repository.file("examples/ReadDisk.java").toString(),
                NvmeTarget.ADDRESS, NvmeTarget.NAME, "999", "3"))
                .run(LIMIT)
                .requireSuccess();
        assertThat(run.output()).contains("Linux, 262144 blocks of 4096 bytes");
        byte[] blocks = run.output().substring(run.output().indexOf('\n') + 1).getBytes(StandardCharsets.US_ASCII);
        assertThat(blocks).hasSize(3 * NvmeTarget.BLOCK_BYTES);
        assertThat(ByteBuffer.wrap(blocks, 0, NvmeTarget.BLOCK_BYTES))
                .isEqualTo(ByteBuffer.allocate(NvmeTarget.BLOCK_BYTES));
        assertThat(ByteBuffer.wrap(blocks, NvmeTarget.BLOCK_BYTES, NvmeTarget.BLOCK_BYTES)).isEqualTo(block.rewind());
    }

    @ParameterizedTest
    @ValueSource(strings = {"write", "read"})
    void runsItsBenchmark(String kind) {
        var run = ExternalProcess.of(program("com.ibm.jnvmf.benchmark.NvmfClientBenchmark",
                "-a", NvmeTarget.ADDRESS, "-p", Integer.toString(NvmeTarget.PORT), "-nqn", NvmeTarget.NAME,
                "-g", "1", "-i", "2", "-n", "2", "-m", "RANDOM", "-qd", "4", "-qs", "16", "-s", "4096", "-rw", kind))
                .run(LIMIT)
                .requireSuccess();
        run.output().lines().filter(line -> line.contains("#ops")).forEach(System.out::println);
        assertThat(run.output()).contains("Model Number: Linux").containsPattern("#ops [1-9]");
    }

    /// All of jNVMf's tests but those that do not suit this server: `NvmfRdmaEndpointTest` needs a server in C, and its
    /// client waits indefinitely if that server starts later. `keepAlive` waits for three minutes.
    /// `controllerCapabilties` requires a property (CAP.CQR) that the kernel does not report.
    @Test
    void passesItsTests() {
        var run = ExternalProcess.of(program("org.junit.platform.console.ConsoleLauncher",
                "execute", "--disable-banner", "--details=tree", "--disable-ansi-colors",
                "--select-package=com.ibm.jnvmf", "--include-classname=.*",
                "--exclude-classname=.*NvmfRdmaEndpointTest",
                "--exclude-methodname=.*(keepAlive|controllerCapabilties).*"))
                .run(LIMIT);
        assertThat(run.requireSuccess().output()).contains("55 tests successful");
    }
}
