// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.failure;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A value that a class creates during its initialization. If an exception ended the initialization, only the first use
/// of the class would report the reason. Each later use would throw a [NoClassDefFoundError] without the reason.
public final class Initial {
    private Initial() {}

    /// Creates a value.
    ///
    /// @return supplies the value; if its creation has failed, throws an [IllegalArgumentException] with the reason
    public static <T extends @Nullable Object> Supplier<T> of(Supplier<T> creation) {
        try {
            T value = creation.get();
            return () -> value;
        } catch (RuntimeException e) {
            return () -> {
                throw new IllegalArgumentException(e.getMessage(), e);
            };
        }
    }
}
