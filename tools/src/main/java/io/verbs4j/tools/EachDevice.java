// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools;

import java.io.PrintWriter;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import picocli.CommandLine.Model.CommandSpec;

/// Asks one device after the other. One that cannot be asked is reported, and the others are asked all the same.
public final class EachDevice {
    private EachDevice() {}

    /// Asks all of them.
    ///
    /// @param command in whose name a failure is reported on the standard error
    /// @param name of a device
    /// @return exit code: 0 if all could be asked
    /// @throws RuntimeException of the only one, if there is only one
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
