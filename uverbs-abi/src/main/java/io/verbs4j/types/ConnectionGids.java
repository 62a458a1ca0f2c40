// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.types;

/// The GIDs of an identifier of the connection manager; [Gid#ZERO] if there is none.
///
/// @param source local GID
/// @param destination the peer's GID
public record ConnectionGids(Gid source, Gid destination) {}
