// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.support;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/// Fails a test class that leaves anything open: verbs objects of this process in the kernel's list of resources, file
/// descriptors of devices and event queues, or mapped rings.
public final class LeakCheck implements AfterAllCallback {
    private static final List<String> KINDS = List.of("ctx", "pd", "cq", "qp", "mr", "srq");
    private static final Pattern PID = Pattern.compile(" pid (\\d+)");

    /// What an earlier class was failed for, such as one whose test hangs: no other shall be.
    private static final Set<String> TOLD = new HashSet<>();

    @Override
    public void afterAll(ExtensionContext context) {
        assertNothingNew(kernelObjects(), "verbs objects that are left in the kernel");
        assertNothingNew(descriptors(), "file descriptors that are left open");
        assertNothingNew(mappings(), "rings that are left mapped");
    }

    private static void assertNothingNew(List<String> left, String what) {
        assertThat(left.stream().filter(TOLD::add)).as(what).isEmpty();
    }

    /// This process's objects, one line each, as `rdma resource show` prints them.
    public static List<String> kernelObjects() {
        var questions = KINDS.stream().map(kind -> "resource show " + kind + "\n").toList();
        String answer = ExternalProcess.of("rdma", "-b", "-")
                .input(String.join("", questions))
                .run(Duration.ofSeconds(10))
                .requireSuccess()
                .output();
        return answer.lines().filter(LeakCheck::isOurs).toList();
    }

    /// Whether an object is neither the kernel's, whose names stand in brackets, nor another process's. An object belongs to
    /// the thread that made it, so its number need not be the process's; and that thread may have ended since.
    private static boolean isOurs(String object) {
        if (object.contains(" comm [")) {
            return false;
        }
        var pid = PID.matcher(object);
        if (!pid.find()) {
            return true;
        }
        try (Stream<String> status = Files.lines(Path.of("/proc", pid.group(1), "status"))) {
            return status.anyMatch(line -> line.equals("Tgid:\t" + ProcessHandle.current().pid()));
        } catch (IOException | UncheckedIOException e) {
            return true;
        }
    }

    /// File descriptors of devices and of their events that this process has open.
    public static List<String> descriptors() {
        var found = new ArrayList<String>();
        try (Stream<Path> links = Files.list(Path.of("/proc/self/fd"))) {
            for (Path link : links.toList()) {
                String target = target(link);
                if (isOfVerbs(target)) {
                    found.add(link.getFileName() + " -> " + target);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return found;
    }

    private static String target(Path link) {
        try {
            return Files.readSymbolicLink(link).toString();
        } catch (IOException e) {
            return ""; // closed meanwhile, like that of the listing itself
        }
    }

    /// Rings that this process has mapped.
    public static List<String> mappings() {
        try (Stream<String> lines = Files.lines(Path.of("/proc/self/maps"))) {
            return lines.filter(LeakCheck::isOfVerbs).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isOfVerbs(String file) {
        return file.contains("/uverbs") || file.contains("[infinibandevent]");
    }
}
