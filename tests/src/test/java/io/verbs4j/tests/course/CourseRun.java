// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.course;

import io.verbs4j.tests.support.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/// Updates the course's pages for `tools/course --update`. In the lab: runs all programs and writes their output to a
/// folder. Outside: inserts listings from the programs, and outputs from that folder.
final class CourseRun {
    private CourseRun() {}

    /// @param arguments `run FOLDER` or `update FOLDER`
    public static void main(String[] arguments) throws IOException {
        Path folder = Path.of(arguments[1]);
        switch (arguments[0]) {
            case "run" -> run(folder);
            case "update" -> update(folder);
            default -> throw new IllegalArgumentException(arguments[0]);
        }
    }

    private static void run(Path folder) throws IOException {
        Files.createDirectories(folder);
        try (var programs = new Programs(Repository.folder())) {
            for (Chapter.Program program : Chapter.programs(Repository.folder())) {
                Files.writeString(folder.resolve(program.name() + ".txt"), programs.run(program));
                System.out.println("ran " + program);
            }
        }
    }

    private static void update(Path folder) throws IOException {
        for (Chapter chapter : Chapter.all(Repository.folder())) {
            var page = new Page(Chapter.read(chapter.page()));
            Page fresh = page.with(block -> block.kind().equals("listing")
                    ? listing(chapter, block.program())
                    : output(folder, block));
            if (!fresh.text().equals(page.text())) {
                Files.writeString(chapter.page(), fresh.text());
                System.out.println("written: " + chapter.page());
            }
        }
        for (Map.Entry<Path, String> picture : CoursePictures.draw(Repository.folder()).entrySet()) {
            Files.writeString(picture.getKey(), picture.getValue());
        }
    }

    private static String listing(Chapter chapter, String program) {
        return new Chapter.Program(chapter, chapter.folder().resolve(program + ".java")).listing();
    }

    /// Keeps what the page has if only numbers differ that differ at each run.
    private static String output(Path folder, Page.Block block) {
        Path file = folder.resolve(block.program() + ".txt");
        if (!Files.exists(file)) {
            return block.text();
        }
        String output = Chapter.read(file);
        return Output.normalized(output).equals(Output.normalized(block.text())) ? block.text() : output;
    }
}
