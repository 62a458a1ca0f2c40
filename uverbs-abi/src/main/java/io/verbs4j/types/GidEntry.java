// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.types;

/// One valid entry of a port's GID table (`struct ibv_gid_entry`, man ibv_query_gid_ex(3)).
///
/// @param gid the identifier
/// @param index position in the table, used by [AddressVector#sourceGidIndex()]
/// @param port port number, from 1
/// @param type protocol that uses the GID
/// @param interfaceIndex index of the network interface (`if_nametoindex(3)`), 0 if there is none
public record GidEntry(Gid gid, int index, int port, GidType type, int interfaceIndex) {}
