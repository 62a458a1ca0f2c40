// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.rxe;

import io.verbs4j.abi.command.CommandChannel;
import io.verbs4j.abi.command.DriverAbi;
import io.verbs4j.abi.uapi.RdmaDriver;
import io.verbs4j.spi.ProviderContext;
import io.verbs4j.spi.ProviderFactory;
import io.verbs4j.spi.RingListener;

/// The provider for the kernel's `rdma_rxe` driver. The driver reports these asynchronous events:
///
/// - changes of the port's link: `PORT_ERROR` when the link goes down, and two `PORT_ACTIVE` events when the link comes
///   up;
/// - changes of the port's addresses: `GID_CHANGE`;
/// - a drained send queue: `SEND_QUEUE_DRAINED`;
/// - a full completion queue: one `CQ_ERROR` event for each lost completion;
/// - a shared receive queue with fewer receives than its armed limit: `SRQ_LIMIT_REACHED`;
/// - since Linux 6.12, the last receive that a failed queue pair took from a shared receive queue:
///   `QP_LAST_WQE_REACHED`;
/// - on Linux 7.2, at the responder, a request with a wrong key: `QP_ACCESS_ERROR`.
///
/// The driver reports neither the first packet that arrives in RTR, nor the removal of the device.
public final class RxeProviderFactory implements ProviderFactory {
    static final String NAME = "rxe";

    /// Versions 1 and 2 differ on 32-bit machines only.
    private static final int MINIMUM_ABI_VERSION = 1;

    /// `RXE_UVERBS_ABI_VERSION` (rxe.h).
    private static final int MAXIMUM_ABI_VERSION = 2;

    /// For `java.util.ServiceLoader`.
    public RxeProviderFactory() {}

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public int driverId() {
        return RdmaDriver.RXE;
    }

    @Override
    public int minimumAbiVersion() {
        return MINIMUM_ABI_VERSION;
    }

    @Override
    public int maximumAbiVersion() {
        return MAXIMUM_ABI_VERSION;
    }

    @Override
    public DriverAbi abi() {
        return RxeStructs.ABI;
    }

    @Override
    public ProviderContext open(CommandChannel channel) {
        return RxeContext.open(channel, null);
    }

    @Override
    public ProviderContext open(CommandChannel channel, RingListener rings) {
        return RxeContext.open(channel, rings);
    }
}
