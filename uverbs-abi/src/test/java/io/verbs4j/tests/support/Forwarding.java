// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.support;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.jspecify.annotations.Nullable;

/// Objects whose calls a test answers or forwards.
public final class Forwarding {
    private Forwarding() {}

    /// Returns an object whose calls go to a handler.
    public static <T> T of(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[]{type}, handler));
    }

    /// Forwards a call.
    ///
    /// @throws Throwable the target's exception
    public static Object pass(Object target, Method method, Object @Nullable [] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
