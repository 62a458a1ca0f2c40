// SPDX-License-Identifier: Apache-2.0
/// Tests of sockets, over simulated devices and over TCP.
@NullMarked
package io.verbs4j.sockets;

import org.jspecify.annotations.NullMarked;
