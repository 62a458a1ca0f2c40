// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm.stream;

import io.verbs4j.types.PrivateData;
import java.util.Arrays;

/// The private data by which the ends of a stream introduce themselves, for tests in other packages.
public final class GreetingParser {
    private static final int MAX_PRIVATE_DATA = 196;

    private GreetingParser() {}

    /// @param bytes cut to what a message of the connection manager can carry
    public static void read(byte[] bytes) {
        Greeting.decode(
                PrivateData.of(bytes.length > MAX_PRIVATE_DATA ? Arrays.copyOf(bytes, MAX_PRIVATE_DATA) : bytes));
    }
}
