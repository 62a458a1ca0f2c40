// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.common;

import java.io.PrintWriter;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import picocli.CommandLine.Model.CommandSpec;

/// Runs an action for each device in turn. A failure is reported, and the remaining devices are still processed.
public final class EachDevice {
    private EachDevice() {}

    /// Runs the action for all devices.
    ///
    /// @param command the command whose name is printed with a failure on standard error
    /// @param name returns the name of a device
    /// @return exit code: 0 if the action succeeded for all devices
    /// @throws RuntimeException the failure, if there is only one device
    public static <T> int ask(CommandSpec command, List<T> devices, Function<T, String> name, Consumer<T> question) {
        if (devices.size() == 1) {
            question.accept(devices.getFirst());
            return 0;
        }
        int code = 0;
        for (T device : devices) {
            try {
                question.accept(device);
            } catch (RuntimeException e) {
                code = command.exitCodeOnExecutionException();
                PrintWriter err = command.commandLine().getErr();
                err.println(command.qualifiedName() + ": " + name.apply(device) + ": " + e.getMessage());
            }
        }
        return code;
    }
}
