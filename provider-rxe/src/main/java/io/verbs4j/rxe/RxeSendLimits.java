// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.rxe;

import io.verbs4j.spi.ring.SendLimits;
import io.verbs4j.types.QueuePairType;
import io.verbs4j.types.SendFlags;

/// The limits of a queue pair and its device. A send ring uses them to reject requests that the kernel would accept
/// unchecked.
///
/// @param common limits that all drivers declare
/// @param deviceCapabilities bits of [io.verbs4j.types.DeviceAttributes], for operations that older kernels do not
///     support
/// @param domain handle of the protection domain, to which address handles must belong
record RxeSendLimits(SendLimits common, long deviceCapabilities, int domain) {
    /// @param type transport, which determines the permitted operations
    /// @param maxScatterGather elements that the kernel accepts in one work request
    /// @param maxInlineData maximum number of inline bytes in an element
    /// @param maxMessage longest message of the port in bytes: 8 MiB on Linux 6.1, 2 GiB on later kernels
    RxeSendLimits(
            QueuePairType type,
            int maxScatterGather,
            int maxInlineData,
            long maxMessage,
            long deviceCapabilities,
            int domain) {
        this(
                new SendLimits(
                        RxeProviderFactory.NAME,
                        type,
                        SendOpcodes.of(type),
                        SendFlags.CALLER_FLAGS,
                        maxScatterGather,
                        maxScatterGather,
                        maxInlineData,
                        maxMessage),
                deviceCapabilities,
                domain);
    }

    QueuePairType type() {
        return common.type();
    }

    /// Returns the size of the largest element.
    long elementBytes() {
        return RxeSendWqe.PAYLOAD + Math.max(common.maxScatterGather() * RxeSge.BYTES, common.maxInlineData());
    }
}
