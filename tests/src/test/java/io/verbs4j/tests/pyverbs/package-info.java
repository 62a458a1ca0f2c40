// SPDX-License-Identifier: Apache-2.0
/// The scenarios of rdma-core's own Python suite (`tests/` there) in Java, good flows and bad ones, with the same outcome.
/// Like there, both ends are on one device. docs/pyverbs-scenarios.md maps one to the other.
@NullMarked
package io.verbs4j.tests.pyverbs;

import org.jspecify.annotations.NullMarked;
