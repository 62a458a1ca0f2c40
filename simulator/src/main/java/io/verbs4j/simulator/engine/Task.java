// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.simulator.engine;

/// Something that the simulation does next. It runs while its thread holds the simulation.
@FunctionalInterface
public interface Task {
    /// Does it.
    void run();
}
