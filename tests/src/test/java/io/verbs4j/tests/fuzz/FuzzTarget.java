// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.fuzz;

/// Entry point of the fuzzer Jazzer (`tools/fuzz`): one parser, named by the property `fuzz.parser`.
public final class FuzzTarget {
    private static final Parser PARSER = Parser.named(System.getProperty("fuzz.parser", ""));

    private FuzzTarget() {}

    /// Called by Jazzer for each input.
    public static void fuzzerTestOneInput(byte[] input) {
        PARSER.understands(input);
    }
}
