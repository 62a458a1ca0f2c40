// SPDX-License-Identifier: Apache-2.0
/// Reliable connections: creating, connecting, posting, and all operations.
@NullMarked
package io.verbs4j.tests.queuepair;

import org.jspecify.annotations.NullMarked;
