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

/// The kernel reported an event of a port or an object.
@Name("io.verbs4j.AsyncEvent")
@Label("Asynchronous Event")
@Description("The kernel reported something that happened to a port or an object.")
@Category({"RDMA", "verbs4j"})
@Enabled(false)
@StackTrace(false)
@SuppressWarnings("UnusedVariable") // the recorder reads the fields
final class AsyncEvent extends Event {
    @Label("Type")
    @Nullable String type;

    @Label("Port, or number of the object") long element;
}
