// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.programs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.tools.common.ToolException;
import io.verbs4j.tools.programs.JavaPrograms.Program;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Finds programs in a folder like `/proc` (proc(5)).
class JavaProgramsTest {
    private static final String JAVA = "7f00-7f01 r-xp 0 08:01 1 /usr/lib/jvm/lib/server/libjvm.so\n";

    @TempDir private Path proc;

    private Path process(String pid, String command, String maps, String... files) throws IOException {
        Path process = Files.createDirectory(proc.resolve(pid));
        Files.writeString(process.resolve("cmdline"), command);
        Files.writeString(process.resolve("maps"), maps);
        Files.createDirectory(process.resolve("fd"));
        for (int i = 0; i < files.length; i++) {
            Files.createSymbolicLink(process.resolve("fd").resolve("" + i), Path.of(files[i]));
        }
        return process;
    }

    @Test
    void javaProgramsWithADeviceAreListedInOrder() throws IOException {
        process("20", "java\0-m\0app/Main\0run\0", JAVA, "/dev/infiniband/uverbs1",
                "/dev/infiniband/uverbs0", "/dev/infiniband/uverbs1", "/dev/null");
        process("3", "java\0-jar\0a.jar\0", JAVA, "/dev/infiniband/uverbs0");
        process("4", "java\0Main\0", JAVA, "/dev/infiniband/rdma_cm");
        process("5", "python3\0", "7f00-7f01 r-xp 0 08:01 1 /usr/lib/libc.so.6\n", "/dev/infiniband/uverbs0");
        process("self", "java\0", JAVA, "/dev/infiniband/uverbs0");
        Files.createDirectory(proc.resolve("6"));
        var programs = new JavaPrograms(proc);
        List<Program> found = programs.usingDevices();
        assertThat(found).containsExactly(
                new Program(3, List.of("uverbs0"), "java -jar a.jar"),
                new Program(20, List.of("uverbs0", "uverbs1"), "app/Main run"));
        var out = new StringWriter();
        JavaPrograms.print(found, new PrintWriter(out));
        assertThat(out.toString().lines().map(line -> line.strip().replaceAll(" +", " "))).containsExactly(
                "pid devices command", "3 uverbs0 java -jar a.jar", "20 uverbs0,uverbs1 app/Main run");
        out.getBuffer().setLength(0);
        JavaPrograms.print(List.of(), new PrintWriter(out));
        assertThat(out.toString()).isEqualTo("No accessible Java program has an RDMA device open.\n");
        assertThatThrownBy(() -> programs.requireJava(5)).isInstanceOf(ToolException.class)
                .hasMessage("process 5 is not a Java program, but python3");
        assertThatThrownBy(() -> programs.requireJava(6)).hasMessageStartingWith("no such process: 6");
        assertThatThrownBy(() -> new JavaPrograms(proc.resolve("none")).usingDevices())
                .hasMessageStartingWith("cannot list processes: ");
    }

    /// A package manager replaces the file, and the process keeps the old one.
    @Test
    void aProgramWhoseJdkWasUpdatedIsListed() throws IOException {
        process("8", "java\0Main\0", JAVA.replace("\n", " (deleted)\n"), "/dev/infiniband/uverbs0");
        assertThat(new JavaPrograms(proc).usingDevices()).extracting(Program::pid).containsExactly(8L);
    }

    @Test
    void aStartIsReadFromTheProcess() throws IOException {
        Path process = process("7", "java\0-cp\0\0Main\0", JAVA);
        Files.writeString(process.resolve("environ"), "A=1\0=odd\0none\0B=x=y\0");
        Files.createSymbolicLink(process.resolve("cwd"), Path.of("/srv"));
        Files.writeString(process.resolve("limits"), "");
        Files.writeString(process.resolve("status"), "");
        JavaPrograms.Start start = new JavaPrograms(proc).start(7);
        assertThat(start.words()).containsExactly("java", "-cp", "", "Main");
        assertThat(start.environment()).isEqualTo(Map.of("A", "1", "B", "x=y"));
        assertThat(start.folder()).isEqualTo(Path.of("/srv"));
        Files.delete(process.resolve("environ"));
        assertThatThrownBy(() -> new JavaPrograms(proc).start(7))
                .hasMessageStartingWith("no such process: 7");
    }

    @Test
    void argumentsMayHaveAnyBytes() throws IOException {
        Path process = process("8", "", JAVA, "/dev/infiniband/uverbs0");
        Files.write(process.resolve("cmdline"), "java\0\u00e4\0".getBytes(StandardCharsets.ISO_8859_1));
        Files.writeString(process.resolve("environ"), "A=\u00e4\0");
        Files.createSymbolicLink(process.resolve("cwd"), Path.of("/srv"));
        var programs = new JavaPrograms(proc);
        JavaPrograms.Start start = programs.start(8);
        assertThat(start.words()).containsExactly("java", "\ufffd");
        assertThat(start.environment()).isEqualTo(Map.of("A", "\u00e4"));
        assertThat(programs.usingDevices())
                .containsExactly(new Program(8, List.of("uverbs0"), "java \ufffd"));
    }

    @Test
    void aFileThatCannotBeReadIsNotBlamedOnThePermission() throws IOException {
        Path process = process("9", "java\0", JAVA);
        Files.createDirectory(process.resolve("environ"));
        assertThatThrownBy(() -> new JavaPrograms(proc).start(9))
                .hasMessage("cannot inspect process 9: Is a directory");
    }
}
