// SPDX-License-Identifier: Apache-2.0
/// Connections by IP address, through the kernel's connection manager, as librdmacm makes them.
///
/// Two layers. [RdmaServer] and [RdmaConnection] listen, connect, accept and disconnect in one call each.
/// Below them, [EventChannel], [Identifier] and [CmEvent] are the connection manager as the kernel has it,
/// step by step.
///
/// Stability: API.
@NullMarked
package io.verbs4j.cm;

import org.jspecify.annotations.NullMarked;
