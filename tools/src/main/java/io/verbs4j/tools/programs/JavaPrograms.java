// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.programs;

import io.verbs4j.abi.memory.LockedMemory;
import io.verbs4j.tools.common.IoFailure;
import io.verbs4j.tools.common.ProcText;
import io.verbs4j.tools.common.Table;
import io.verbs4j.tools.common.ToolException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/// Java programs of this machine that have an RDMA device open, according to `/proc`. The JVM's own list lacks programs
/// that run with `-XX:-UsePerfData`, as this command line does.
public final class JavaPrograms {
    /// The main class in the launcher's command line.
    private static final String OURS = "io.verbs4j.tools/io.verbs4j.tools.Main";

    private final Path proc;

    JavaPrograms(Path proc) {
        this.proc = proc;
    }

    /// Returns the programs of this machine.
    public static JavaPrograms ofSystem() {
        return new JavaPrograms(Path.of("/proc"));
    }

    /// A program.
    ///
    /// @param device its device nodes, such as `uverbs0`
    /// @param command its command line
    public record Program(long pid, List<String> device, String command) {}

    /// How a program was started.
    ///
    /// @param words its start line
    /// @param environment its environment
    /// @param folder its working directory
    /// @param memory the memory that it may lock
    public record Start(List<String> words, Map<String, String> environment, Path folder, LockedMemory memory) {}

    /// Lists the accessible programs by pid.
    public List<Program> usingDevices() {
        try (Stream<Path> processes = Files.list(proc)) {
            return processes.filter(path -> path.getFileName().toString().chars().allMatch(Character::isDigit))
                    .map(path -> new Program(
                            Long.parseLong(path.getFileName().toString()), devices(path), command(path)))
                    .filter(program -> !program.device.isEmpty() && isJava(program.pid))
                    .sorted(Comparator.comparingLong(Program::pid))
                    .toList();
        } catch (IOException e) {
            throw new ToolException("cannot list processes: " + IoFailure.reason(e));
        }
    }

    /// Prints programs as a table.
    public static void print(List<Program> programs, PrintWriter out) {
        if (programs.isEmpty()) {
            out.println("No accessible Java program has an RDMA device open.");
            return;
        }
        var table = new Table("pid", "devices", "command");
        programs.forEach(each -> table.row(each.pid(), String.join(",", each.device()), each.command()));
        table.print(out);
    }

    /// Returns how a Java program was started.
    ///
    /// @throws ToolException if there is no such program, or it belongs to another user
    public Start start(long pid) {
        requireJava(pid);
        Path process = proc.resolve(Long.toString(pid));
        try {
            var environment = new HashMap<String, String>();
            for (String variable : ProcText.read(process.resolve("environ")).split("\0", -1)) {
                int equals = variable.indexOf('=');
                if (equals > 0) {
                    environment.put(variable.substring(0, equals), variable.substring(equals + 1));
                }
            }
            return new Start(
                    List.of(ProcText.read(process.resolve("cmdline")).replaceFirst("\0$", "").split("\0", -1)),
                    environment,
                    Files.readSymbolicLink(process.resolve("cwd")),
                    LockedMemory.ofProcess(process));
        } catch (IOException e) {
            throw failure(pid, e);
        }
    }

    private static List<String> devices(Path process) {
        String[] files = process.resolve("fd").toFile().list();
        if (files == null) { // not ours, or ended meanwhile
            return List.of();
        }
        var devices = new ArrayList<String>();
        for (String file : files) {
            String target = target(process.resolve("fd").resolve(file));
            if (target.startsWith("/dev/infiniband/uverbs")) {
                devices.add(Path.of(target).getFileName().toString());
            }
        }
        return devices.stream().distinct().sorted().toList();
    }

    private static String target(Path file) {
        try {
            return Files.readSymbolicLink(file).toString();
        } catch (IOException closedInThatTime) {
            return "";
        }
    }

    private boolean isJava(long pid) {
        try {
            requireJava(pid);
            return true;
        } catch (ToolException e) {
            return false;
        }
    }

    /// Throws if a process is not a Java program. Attaching starts with a signal that would end most other programs.
    public void requireJava(long pid) {
        try (
                Stream<String> mappings =
                        Files.lines(proc.resolve(Long.toString(pid)).resolve("maps"), StandardCharsets.ISO_8859_1)) {
            if (mappings.noneMatch(JavaPrograms::isJvm)) {
                throw new ToolException("process " + pid + " is not a Java program, but " + name(pid));
            }
        } catch (UncheckedIOException e) {
            throw failure(pid, Objects.requireNonNull(e.getCause()));
        } catch (IOException e) {
            throw failure(pid, e);
        }
    }

    /// Returns whether a line of `maps` names the virtual machine. An update of the JDK deletes the file.
    private static boolean isJvm(String mapping) {
        return mapping.endsWith("/libjvm.so") || mapping.endsWith("/libjvm.so (deleted)");
    }

    /// Explains why files of a process cannot be read. It may have ended meanwhile.
    private ToolException failure(long pid, IOException cause) {
        if (cause instanceof NoSuchFileException || !Files.exists(proc.resolve(Long.toString(pid)))) {
            return noSuchProcess(pid);
        }
        return cause instanceof AccessDeniedException
                ? noPermission(pid)
                : new ToolException("cannot inspect process " + pid + ": " + IoFailure.reason(cause));
    }

    static ToolException noPermission(long pid) {
        return new ToolException("no permission to inspect process " + pid, "run this command as its user or as root");
    }

    static ToolException noSuchProcess(long pid) {
        return new ToolException("no such process: " + pid, "'verbs rings' lists programs with an RDMA device");
    }

    private String name(long pid) {
        String command = command(proc.resolve(Long.toString(pid)));
        return command.isEmpty() ? "part of the kernel" : command;
    }

    /// Returns a process's command line, without the JVM's options.
    private static String command(Path process) {
        try {
            List<String> words = List.of(ProcText.read(process.resolve("cmdline")).split("\0", -1));
            int module = words.indexOf("-m");
            List<String> shown = module > 0 ? words.subList(module + 1, words.size()) : words;
            return String.join(" ", shown).strip().replace(OURS, "verbs");
        } catch (IOException ended) {
            return "";
        }
    }
}
