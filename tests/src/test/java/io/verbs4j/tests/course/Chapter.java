// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.course;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/// A chapter of the course: a folder `NN-name` with its text in `README.md`, and its programs. The program of the
/// text's first listing belongs to the chapter; the others are solutions.
record Chapter(Path folder) {
    /// A program of a chapter.
    record Program(Chapter chapter, Path source) {
        /// Name of the file, without `.java`.
        String name() {
            return source.getFileName().toString().replace(".java", "");
        }

        /// Returns what a page shows of it: all but the license line.
        String listing() {
            String text = read(source);
            return text.substring(text.indexOf('\n') + 1);
        }

        @Override
        public String toString() {
            return chapter.folder.getFileName() + "/" + name();
        }
    }

    /// Returns all chapters in order.
    ///
    /// @param repository the folder that contains `docs`
    static List<Chapter> all(Path repository) {
        return list(repository.resolve("docs/course")).stream()
                .filter(folder -> folder.getFileName().toString().matches("\\d\\d-[a-z]+"))
                .map(Chapter::new)
                .toList();
    }

    /// All programs of all chapters.
    static List<Program> programs(Path repository) {
        return all(repository).stream().flatMap(chapter -> chapter.programs().stream()).toList();
    }

    String name() {
        return folder.getFileName().toString();
    }

    Path page() {
        return folder.resolve("README.md");
    }

    List<Program> programs() {
        return list(folder).stream()
                .filter(file -> file.toString().endsWith(".java"))
                .map(file -> new Program(this, file))
                .toList();
    }

    private static List<Path> list(Path folder) {
        try (Stream<Path> files = Files.list(folder)) {
            return files.sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
