// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.walks;

/// Memory of the peer, or a key.
///
/// @param window whether `number` belongs to a memory window instead of a region
/// @param number number of the window or region
/// @param offset the first byte, from the start of the region; through a window, from the start of region 0
/// @param wrongKey whether the key belongs to no object
record Target(boolean window, int number, int offset, boolean wrongKey) {}
