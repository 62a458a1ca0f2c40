// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.context;

import io.verbs4j.abi.command.CommandChannel;
import java.util.List;

/// Queries the P_Keys of a port. The uverbs ABI has no command for them: libibverbs reads sysfs, too.
///
/// @see "ibv_query_pkey(3)"
public final class QueryPkeyTable {
    private QueryPkeyTable() {}

    /// Queries the table.
    ///
    /// @param port from 1
    /// @return the P_Keys by index
    public static List<Integer> execute(CommandChannel channel, int port) {
        return channel.host().pkeys(channel.deviceName(), port);
    }
}
