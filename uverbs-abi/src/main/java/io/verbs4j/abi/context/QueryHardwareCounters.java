// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.context;

import io.verbs4j.abi.command.CommandChannel;
import io.verbs4j.types.HardwareCounters;

/// Queries the driver's counters of a port. They are not in the uverbs ABI, only in sysfs and RDMA netlink.
///
/// @see "rdma-statistic(8)"
public final class QueryHardwareCounters {
    private QueryHardwareCounters() {}

    /// Queries the counters.
    ///
    /// @param port from 1
    public static HardwareCounters execute(CommandChannel channel, int port) {
        return channel.host().hardwareCounters(channel.deviceName(), port);
    }
}
