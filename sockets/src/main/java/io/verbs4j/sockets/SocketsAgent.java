// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.sockets;

import java.io.IOException;
import java.lang.instrument.Instrumentation;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Makes an unchanged program use RDMA: `java -javaagent:verbs4j-bundle-VERSION.jar[=RULES] …`, or the same in
/// `JAVA_TOOL_OPTIONS`.
///
/// The agent makes [RdmaSelectorProvider] the program's provider of channels, and gives this provider access to the
/// JDK's own provider. The sockets of `java.net` then use [RdmaSelectorProvider], too. The argument is the name of a
/// file of [rules][SocketRules].
public final class SocketsAgent {
    private SocketsAgent() {}

    /// Called by the JDK before the program.
    ///
    /// @param arguments the name of a file of rules; empty for none
    public static void premain(@Nullable String arguments, Instrumentation instrumentation) throws IOException {
        Module base = Object.class.getModule();
        instrumentation.redefineModule(
                base,
                Set.of(),
                Map.of("sun.nio.ch", Set.of(SocketsAgent.class.getModule())),
                Map.of(),
                Set.of(),
                Map.of());
        if (arguments != null && !arguments.isEmpty()) {
            System.setProperty(SocketContext.RULES, arguments);
        }
        System.setProperty("java.nio.channels.spi.SelectorProvider", RdmaSelectorProvider.class.getName());
        MixedSocketImpl.install();
    }
}
