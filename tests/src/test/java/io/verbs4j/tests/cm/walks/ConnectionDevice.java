// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.cm.walks;

import java.util.List;

/// Takes commands of a walk: the kernel, or the model.
interface ConnectionDevice extends AutoCloseable {
    /// Executes a command.
    ///
    /// @return `done`, or the name of the error
    String perform(Command command);

    /// Takes the events that have come since, each as `channel identifier what`.
    List<String> events();

    /// Returns the addresses and the device of an identifier; empty if it is not bound or not open.
    String addresses(int identifier);

    @Override
    void close();
}
