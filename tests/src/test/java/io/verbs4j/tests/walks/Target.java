// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.walks;

/// Memory of the peer, or a key.
///
/// @param window whether `number` is one of a memory window, not of a region
/// @param number which one
/// @param offset the first byte, from the start of the region; through a window from the start of region 0
/// @param wrongKey whether the key is one that nothing has
record Target(boolean window, int number, int offset, boolean wrongKey) {}
