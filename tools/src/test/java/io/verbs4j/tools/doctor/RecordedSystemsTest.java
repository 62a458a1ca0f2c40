// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.abi.Recording;
import io.verbs4j.tools.common.Finding;
import io.verbs4j.tools.common.Findings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The findings about the systems of `systems.txt` are the recorded ones ([Recording]).
///
/// A line `$ RELEASE` begins a system. The files of the system follow as `+ PATH CONTENTS`, where `;` ends a line, and
/// its links as `@ PATH TARGET`.
class RecordedSystemsTest {
    private static final Path FILE = Path.of("src/test/resources/io/verbs4j/tools/doctor/systems.txt");
    private static final long MEMORY = 65536;

    @TempDir private Path folder;

    @Test
    void findingsAreTheRecordedOnes() throws IOException {
        var lines = new ArrayList<String>();
        Path root = folder;
        String release = "";
        int systems = 0;
        for (String line : Files.readAllLines(FILE)) {
            if (line.startsWith("$ ")) {
                if (systems > 0) {
                    lines.addAll(findings(root, release));
                }
                release = line.substring(2);
                root = folder.resolve(Integer.toString(systems++));
            }
            String[] words = line.split(" ", 3);
            switch (words[0]) {
                case "+" -> Files.writeString(parent(root.resolve(words[1])), words[2].replace(';', '\n'));
                case "@" -> Files.createSymbolicLink(parent(root.resolve(words[1])), Path.of(words[2]));
                default -> {
                }
            }
            if (line.matches("[$+@] .*")) {
                lines.add(line);
            }
        }
        lines.addAll(findings(root, release));
        assertThat(systems).isGreaterThan(5);
        Recording.compare(FILE, lines);
    }

    private static Path parent(Path file) throws IOException {
        Files.createDirectories(file.getParent());
        return file;
    }

    private static List<String> findings(Path root, String release) {
        var files = new SystemFiles(root);
        var findings = new Findings();
        new KernelChecks(files, release).run(findings);
        new MemoryCheck(files).run(MEMORY, findings);
        var network = new NetworkChecks(files, _ -> Optional.empty());
        network.reportNamespaces(!files.link("proc/1/ns/net").isEmpty(), findings);
        network.checkInterfaces(new TreeMap<>(Map.of("rxe0", "eth0", "rxe1", "eth1", "siw0", "eth1")), findings);
        network.checkUdp(findings);
        network.checkFirewall(findings);
        var lines = new ArrayList<String>();
        for (Finding finding : findings.all()) {
            lines.add("  " + finding.severity() + " " + finding.check() + ": " + finding.message()
                    + (finding.remedy() == null ? "" : " → " + finding.remedy()));
        }
        lines.add("  rdma_ucm: " + files.hasModule("rdma_ucm") + ", siw: " + files.hasModule("siw"));
        lines.add("  worst: " + findings.worst());
        return lines;
    }
}
