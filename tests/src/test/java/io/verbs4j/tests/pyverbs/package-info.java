// SPDX-License-Identifier: Apache-2.0
/// The comparison of device tests with the scenarios of rdma-core's Python suite (`tests/` there), which are in
/// docs/pyverbs-scenarios.md.
@NullMarked
package io.verbs4j.tests.pyverbs;

import org.jspecify.annotations.NullMarked;
