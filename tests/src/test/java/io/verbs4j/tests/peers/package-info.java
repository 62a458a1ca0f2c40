// SPDX-License-Identifier: Apache-2.0
/// Programs and servers of others: the kernel's servers, Valkey's server, and programs written for DiSNI.
@NullMarked
package io.verbs4j.tests.peers;

import org.jspecify.annotations.NullMarked;
