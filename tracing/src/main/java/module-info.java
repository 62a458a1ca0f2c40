// SPDX-License-Identifier: Apache-2.0
/// Traces the calls of a program to the kernel and its devices, as data, text or JSON.
module io.verbs4j.tracing {
    requires transitive io.verbs4j.spi;
    requires static org.jspecify;

    exports io.verbs4j.tracing;

    provides io.verbs4j.abi.cm.CmFileListener with
            io.verbs4j.tracing.TraceCmListener;
    provides io.verbs4j.spi.DeviceListenerFactory with
            io.verbs4j.tracing.TraceListenerFactory;
}
