// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.jfr;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Threshold;
import org.jspecify.annotations.Nullable;

/// A call of the kernel: a command by ioctl or write.
@Name("io.verbs4j.Verb")
@Label("Verb")
@Description("A call of the kernel: a command by ioctl or write.")
@Category({"RDMA", "verbs4j"})
@Enabled(false)
@StackTrace(false)
@Threshold("0 ms")
@SuppressWarnings("UnusedVariable") // the recorder reads the fields
final class VerbEvent extends Event {
    @Label("Verb")
    @Nullable String verb;

    @Label("Device")
    @Nullable String device;

    @Label("Handle of the object, -1 if the command has none") long handle;

    @Label("Error number, 0 for success") int errno;

    @Label("Name of the error number")
    @Nullable String errnoName;
}
