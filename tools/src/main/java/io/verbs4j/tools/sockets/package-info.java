// SPDX-License-Identifier: Apache-2.0
/// The command `verbs sockets`.
@NullMarked
package io.verbs4j.tools.sockets;

import org.jspecify.annotations.NullMarked;
