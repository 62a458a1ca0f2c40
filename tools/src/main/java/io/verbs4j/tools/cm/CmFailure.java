// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.cm;

import io.verbs4j.cm.CmEvent;
import io.verbs4j.tools.common.ToolException;

/// Translates failures reported by events.
final class CmFailure {
    private CmFailure() {}

    /// Throws if an event reports a failed step.
    static void check(CmEvent event) {
        switch (event) {
            case CmEvent.AddressFailed e -> throw failure("resolve address", e);
            case CmEvent.RouteFailed e -> throw failure("resolve route", e);
            case CmEvent.ConnectFailed e -> throw failure("connect", e);
            case CmEvent.Unreachable e -> throw failure("connect", e);
            case CmEvent.Rejected e -> throw failure("connect", e);
            case CmEvent.MulticastFailed e -> throw failure("join", e);
            case CmEvent.DeviceRemoved _ -> throw new ToolException("the RDMA device is being removed");
            default -> {
                // Not a failure.
            }
        }
    }

    private static ToolException failure(String operation, CmEvent event) {
        return new ToolException(operation + " failed: " + event.explanation());
    }
}
