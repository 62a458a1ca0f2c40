// SPDX-License-Identifier: Apache-2.0
/// Tests of sockets over devices, with programs of others at either end.
@NullMarked
package io.verbs4j.tests.sockets;

import org.jspecify.annotations.NullMarked;
