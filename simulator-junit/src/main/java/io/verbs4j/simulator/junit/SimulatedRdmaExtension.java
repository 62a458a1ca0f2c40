// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.simulator.junit;

import io.verbs4j.Context;
import io.verbs4j.Device;
import io.verbs4j.simulator.SimulatedDevice;
import io.verbs4j.simulator.SimulatedHost;
import io.verbs4j.simulator.SimulatedNetwork;
import java.lang.reflect.Parameter;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolutionException;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.platform.commons.support.AnnotationSupport;

/// Creates the network of [SimulatedRdma] before each test, and closes it after the test.
public final class SimulatedRdmaExtension implements BeforeEachCallback, AfterEachCallback, ParameterResolver {
    private static final Namespace NAMESPACE = Namespace.create(SimulatedRdmaExtension.class);
    private static final long CLOSE_TIMEOUT_NANOS = 3_000_000_000L;
    private static final long CLOSE_PAUSE_NANOS = 1_000_000;
    private static final Set<Class<?>> TYPES = Set.of(
            Device.class, Context.class, SimulatedDevice.class, SimulatedHost.class, SimulatedNetwork.class);

    /// Called by JUnit.
    public SimulatedRdmaExtension() {}

    @Override
    public void beforeEach(ExtensionContext context) {
        SimulatedRdma wish = AnnotationSupport.findAnnotation(context.getElement(), SimulatedRdma.class)
                .or(() -> ofClass(context.getRequiredTestClass()))
                .orElseThrow();
        var network = new TestNetwork(wish);
        context.getStore(NAMESPACE).put(TestNetwork.class, network);
        network.becomeCurrent();
    }

    /// Returns the annotation of a class, or of the nearest enclosing class. JUnit's own search of enclosing classes
    /// differs between versions.
    private static Optional<SimulatedRdma> ofClass(Class<?> test) {
        Optional<SimulatedRdma> found = AnnotationSupport.findAnnotation(test, SimulatedRdma.class);
        Class<?> around = test.getEnclosingClass();
        return found.isPresent() || around == null ? found : ofClass(around);
    }

    @Override
    public void afterEach(ExtensionContext context) {
        TestNetwork network = context.getStore(NAMESPACE).remove(TestNetwork.class, TestNetwork.class);
        if (network == null) {
            return; // creating it has failed
        }
        try (network) {
            network.closeContexts();
            if (context.getExecutionException().isEmpty()) {
                List<String> left = awaitClosed(network);
                if (!left.isEmpty()) {
                    throw new AssertionError("the test has not closed: " + String.join(", ", left));
                }
            }
        }
    }

    /// Waits for objects that verbs4j closes in the background, such as those of a closed socket.
    ///
    /// @return the objects that are still open
    private static List<String> awaitClosed(TestNetwork network) {
        long start = System.nanoTime();
        List<String> left = network.left();
        while (!left.isEmpty() && System.nanoTime() - start < CLOSE_TIMEOUT_NANOS) {
            LockSupport.parkNanos(CLOSE_PAUSE_NANOS);
            left = network.left();
        }
        return left;
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return context.getTestMethod().isPresent()
                && TYPES.contains(parameter.getParameter().getType());
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        TestNetwork network = context.getStore(NAMESPACE).get(TestNetwork.class, TestNetwork.class);
        if (network == null) {
            throw new ParameterResolutionException(
                    "no simulated network exists yet for parameter " + parameter.getParameter());
        }
        Class<?> type = parameter.getParameter().getType();
        Parameter[] all = parameter.getDeclaringExecutable().getParameters();
        int position = (int) Arrays.stream(all, 0, parameter.getIndex())
                .filter(other -> other.getType() == type)
                .count();
        return network.part(type, position);
    }
}
