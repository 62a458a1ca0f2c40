// SPDX-License-Identifier: Apache-2.0
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;

/// Prints the document at a URL.
void main(String[] arguments) throws IOException {
    try (InputStream document = URI.create(arguments[0]).toURL().openStream()) {
        document.transferTo(System.out);
    }
}
