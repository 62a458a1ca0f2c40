// SPDX-License-Identifier: Apache-2.0
/// The scenarios of rdma-core's Python suite (`tests/` there) in Java, successful and failing ones, with the same
/// outcomes. As in the suite, both ends use one device. docs/pyverbs-scenarios.md maps one to the other.
@NullMarked
package io.verbs4j.tests.pyverbs;

import org.jspecify.annotations.NullMarked;
