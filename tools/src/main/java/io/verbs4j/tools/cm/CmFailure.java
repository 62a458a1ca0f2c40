// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.cm;

import io.verbs4j.cm.CmEvent;
import io.verbs4j.tools.ToolException;

/// Failures that events report.
final class CmFailure {
    private CmFailure() {}

    /// Fails if an event says that a step failed.
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
                // No failure.
            }
        }
    }

    private static ToolException failure(String operation, CmEvent event) {
        return new ToolException(operation + " failed: " + event.explanation());
    }
}
