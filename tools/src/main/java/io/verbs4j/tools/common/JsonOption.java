// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.common;

import picocli.CommandLine.Option;

/// The option `--json`.
public final class JsonOption {
    @Option(
            names = "--json",
            description = "Print JSON.") private boolean json;

    /// Returns whether the option was given.
    public boolean isSet() {
        return json;
    }
}
