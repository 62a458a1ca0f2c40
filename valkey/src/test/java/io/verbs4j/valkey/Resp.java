// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.valkey;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/// Encodes commands and decodes answers, as far as the tests need them.
final class Resp {
    private Resp() {}

    static byte[] bulk(byte[] value) {
        var all = new ByteArrayOutputStream();
        all.writeBytes(bytes("$" + value.length + "\r\n"));
        all.writeBytes(value);
        all.writeBytes(bytes("\r\n"));
        return all.toByteArray();
    }

    static List<byte[]> words(InputStream in) throws IOException {
        int count = Integer.parseInt(line(in).substring(1));
        var words = new ArrayList<byte[]>();
        for (int i = 0; i < count; i++) {
            int length = Integer.parseInt(line(in).substring(1));
            words.add(in.readNBytes(length));
            in.skipNBytes(2);
        }
        return words;
    }

    static String line(InputStream in) throws IOException {
        var line = new StringBuilder();
        for (int c = in.read(); c != '\n'; c = in.read()) {
            if (c < 0) {
                throw new EOFException();
            }
            if (c != '\r') {
                line.append((char) c);
            }
        }
        return line.toString();
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    /// Returns an encoded command.
    static byte[] command(Object... words) {
        var all = new ByteArrayOutputStream();
        all.writeBytes(bytes("*" + words.length + "\r\n"));
        for (Object word : words) {
            all.writeBytes(bulk(word instanceof byte[] data ? data : bytes(word.toString())));
        }
        return all.toByteArray();
    }
}
