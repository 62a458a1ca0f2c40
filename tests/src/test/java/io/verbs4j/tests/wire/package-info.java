// SPDX-License-Identifier: Apache-2.0
/// Tests of packets: each verb's packets compared with a model of the specification and with the C programs, and a wire
/// that loses, duplicates, reorders and corrupts packets.
@NullMarked
package io.verbs4j.tests.wire;

import org.jspecify.annotations.NullMarked;
