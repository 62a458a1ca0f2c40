// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.fuzz;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// Writes what `tools/fuzz` starts from: below a folder one for each parser, with the inputs that it understands.
public final class Corpus {
    private Corpus() {}

    public static void main(String... arguments) throws IOException {
        for (Parser parser : Parser.values()) {
            Path folder = Files.createDirectories(Path.of(arguments[0], parser.option()));
            int number = 0;
            for (byte[] seed : parser.seeds()) {
                Files.write(folder.resolve("seed-" + number++), seed);
            }
        }
    }
}
