// SPDX-License-Identifier: Apache-2.0
/// Connections by IP address through the kernel's connection manager, like those of librdmacm.
///
/// There are two layers. [RdmaServer] and [RdmaConnection] listen, connect, accept and disconnect in one call each.
/// Below them, [EventChannel], [Identifier] and [CmEvent] expose each step of the kernel's connection manager.
///
/// Stability: API.
@NullMarked
package io.verbs4j.cm;

import org.jspecify.annotations.NullMarked;
