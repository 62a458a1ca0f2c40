// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.environments;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import java.io.IOException;

/// JSON, as programs read it.
final class JsonValues {
    private static final JsonFactory JSON =
            JsonFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

    private JsonValues() {}

    /// Returns whether a text consists of arrays and objects, or of nothing.
    static boolean areAll(String text) {
        try (JsonParser parser = JSON.createParser(text)) {
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                if (!token.isStructStart()) {
                    return false;
                }
                parser.skipChildren();
            }
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}
