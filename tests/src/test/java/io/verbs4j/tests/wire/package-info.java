// SPDX-License-Identifier: Apache-2.0
/// Tests what crosses the wire: each verb's packets against a model of the specification and against the programs in C, and a wire that
/// loses, doubles, reorders and corrupts.
@NullMarked
package io.verbs4j.tests.wire;

import org.jspecify.annotations.NullMarked;
