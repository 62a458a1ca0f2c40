// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.jfr;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/// A socket uses TCP because RDMA was not possible.
@Name("io.verbs4j.SocketFallback")
@Label("Socket Fallback")
@Description("A socket is TCP because RDMA was not possible.")
@Category({"RDMA", "verbs4j"})
@Enabled(false)
@StackTrace(false)
@SuppressWarnings("UnusedVariable") // the recorder reads the fields
final class SocketFallbackEvent extends Event {
    @Label("Address that it connects to or listens at")
    @Nullable String address;

    @Label("Reason")
    @Nullable String reason;
}
