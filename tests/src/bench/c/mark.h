// SPDX-License-Identifier: Apache-2.0
// An instruction that no compiler writes and that does nothing: a no-op of eight bytes, with a number of ours for an address.
#define MARK_BYTES 0x0f, 0x1f, 0x84, 0x00, 0x76, 0x34, 0x6a, 0x6d
