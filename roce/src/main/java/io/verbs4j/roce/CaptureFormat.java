// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.roce;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// Reads the frames of one file format.
interface CaptureFormat {
    /// Returns the next frame; null at the end.
    @Nullable
    CapturedFrame next() throws IOException;
}
