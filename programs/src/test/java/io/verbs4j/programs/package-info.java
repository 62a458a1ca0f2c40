// SPDX-License-Identifier: Apache-2.0
/// Unchanged programs of other projects. The agent of verbs4j, which the build passes to the JVM, makes them use RDMA.
/// The tests here do not use verbs4j's classes.
@NullMarked
package io.verbs4j.programs;

import org.jspecify.annotations.NullMarked;
