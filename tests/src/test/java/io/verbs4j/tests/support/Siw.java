// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.support;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;

/// The lab's two siw devices, on the two ends of a wire of their own. They are there with the lab's option `--siw`.
public final class Siw {
    /// On `veth2`, with address 10.9.1.1.
    public static final String LEFT = "siw0";

    /// On `veth3`, with address 10.9.1.2.
    public static final String RIGHT = "siw1";

    private static final AtomicInteger NEXT_PORT = new AtomicInteger(30_000);

    private Siw() {}

    /// Returns an address of the right device, with a port of its own for each test.
    public static InetSocketAddress right() {
        return new InetSocketAddress("10.9.1.2", NEXT_PORT.getAndIncrement());
    }

    /// Returns the address of the left device, with any port.
    static InetSocketAddress left() {
        return new InetSocketAddress("10.9.1.1", 0);
    }

    /// Returns whether the devices are there.
    public static boolean isThere() {
        return Files.exists(Path.of("/sys/class/infiniband", LEFT))
                && Files.exists(Path.of("/sys/class/infiniband", RIGHT));
    }

    /// A class of tests over siw: pairs created by [ConnectedPair#onTheWire()] are on siw's wire. In a guest without
    /// siw, it is skipped with the reason.
    @Target(ElementType.TYPE)
    @Retention(RetentionPolicy.RUNTIME)
    @Inherited
    @Tag("siw")
    @ExtendWith({Presence.class, Choice.class})
    public @interface Test {}

    static final class Presence implements ExecutionCondition {
        @Override
        public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
            return isThere()
                    ? ConditionEvaluationResult.enabled("siw is there")
                    : ConditionEvaluationResult.disabled(
                            "no siw0 and siw1: the lab makes them with --siw, if siw can be built for the kernel");
        }
    }

    static final class Choice implements BeforeAllCallback, AfterAllCallback {
        @Override
        public void beforeAll(ExtensionContext context) {
            Wire.useSiw(true);
        }

        @Override
        public void afterAll(ExtensionContext context) {
            Wire.useSiw(false);
        }
    }
}
