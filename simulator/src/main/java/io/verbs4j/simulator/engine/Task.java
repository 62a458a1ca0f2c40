// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.simulator.engine;

/// A step of the simulation. It runs while its thread holds the simulation.
@FunctionalInterface
public interface Task {
    /// Executes the step.
    void run();
}
