// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.context;

import io.verbs4j.abi.command.CommandChannel;
import io.verbs4j.types.HardwareCounters;

/// Queries the driver's counters of a port. The uverbs ABI has no command for it, only sysfs and RDMA netlink.
///
/// @see "rdma-statistic(8)"
public final class QueryHardwareCounters {
    private QueryHardwareCounters() {}

    /// Asks.
    ///
    /// @param port from 1
    public static HardwareCounters execute(CommandChannel channel, int port) {
        return channel.host().hardwareCounters(channel.deviceName(), port);
    }
}
