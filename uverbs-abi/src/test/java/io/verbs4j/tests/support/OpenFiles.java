// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.support;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/// The open files of this process, on Linux.
public final class OpenFiles {
    private OpenFiles() {}

    /// Returns the target of each file descriptor: a path, or a kind of file such as `anon_inode:[eventpoll]`.
    public static Map<String, String> targets() {
        var targets = new TreeMap<String, String>();
        try (Stream<Path> links = Files.list(Path.of("/proc/self/fd"))) {
            for (Path link : links.toList()) {
                try {
                    targets.put(link.getFileName().toString(), Files.readSymbolicLink(link).toString());
                } catch (IOException e) {
                    continue; // closed meanwhile, like the descriptor of the listing
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return targets;
    }

    /// Returns the number of file descriptors whose target begins with a text.
    public static long count(String beginning) {
        return targets().values().stream().filter(target -> target.startsWith(beginning)).count();
    }
}
