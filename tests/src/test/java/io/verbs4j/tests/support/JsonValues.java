// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.support;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import java.io.IOException;

/// JSON, as programs read it.
public final class JsonValues {
    private static final JsonFactory JSON =
            JsonFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

    private JsonValues() {}

    /// Counts the arrays and objects of a text.
    ///
    /// @return -1 if it contains anything else, or is not JSON
    public static int count(String text) {
        int values = 0;
        try (JsonParser parser = JSON.createParser(text)) {
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                if (!token.isStructStart()) {
                    return -1;
                }
                parser.skipChildren();
                values++;
            }
            return values;
        } catch (IOException e) {
            return -1;
        }
    }
}
