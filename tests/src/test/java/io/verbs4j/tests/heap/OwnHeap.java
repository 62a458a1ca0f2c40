// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.heap;

import io.verbs4j.abi.device.DeviceFile;
import io.verbs4j.abi.device.EventFile;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;

/// Files of a simulated kernel, which has a heap of its own.
final class OwnHeap {
    private OwnHeap() {}

    /// Returns a file behind which no allocation fails.
    static DeviceFile of(DeviceFile file) {
        return of(DeviceFile.class, file);
    }

    private static <T> T of(Class<T> type, T file) {
        return type.cast(Proxy.newProxyInstance(
                OwnHeap.class.getClassLoader(), new Class<?>[]{type},
                (_, method, values) -> call(method, file, values)));
    }

    private static Object call(Method method, Object file, Object[] values) throws Throwable {
        HeapHooks.pause();
        try {
            Object answer = method.invoke(file, values);
            return answer instanceof EventFile events ? of(EventFile.class, events) : answer;
        } catch (InvocationTargetException e) {
            throw e.getCause();
        } finally {
            HeapHooks.resume();
        }
    }
}
