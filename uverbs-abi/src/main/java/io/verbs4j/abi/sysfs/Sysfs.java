// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.sysfs;

import io.verbs4j.abi.failure.GeneralCauses;
import io.verbs4j.abi.failure.KernelErrors;
import io.verbs4j.abi.os.SmallFile;
import io.verbs4j.types.Errno;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Reads attributes from sysfs: small files of one value.
///
/// A device may be removed between two reads. Then its files are missing, or reading them fails. Therefore a missing or
/// unreadable attribute counts as absent, and callers that need it treat its device as removed. Other failures, such as
/// a lack of file descriptors, are errors.
///
/// All code before the first verb, including this class, uses plain loops: the first lambda, stream or regular
/// expression of a process costs as much as finding a device.
public final class Sysfs {
    private static final int GUID_LENGTH = "0000:0000:0000:0000".length();

    /// Orders `uverbs10` after `uverbs9`.
    private enum ByNumber implements Comparator<String> {
        ORDER;

        @Override
        public int compare(String a, String b) {
            return a.length() == b.length() ? a.compareTo(b) : a.length() - b.length();
        }
    }

    private Sysfs() {}

    /// Returns an attribute without the white space around it.
    ///
    /// @return null if it does not exist or cannot be read, like some attributes of an unused slot
    /// @throws io.verbs4j.types.VerbsException if it cannot be opened for another reason
    public static @Nullable String text(Path attribute) {
        try {
            return sound(Files.readString(attribute));
        } catch (NoSuchFileException e) {
            return null;
        } catch (IOException e) {
            return textAfter(attribute);
        }
    }

    /// Repeats a failed read to determine its errno.
    private static @Nullable String textAfter(Path attribute) {
        SmallFile file = SmallFile.read(attribute);
        if (isMissing(attribute, file.opening()) || file.text().isEmpty()) {
            return null;
        }
        return sound(file.text());
    }

    /// Returns a text without white space at its ends. Returns null for a text with a character 0: no attribute
    /// contains it, and no path may.
    private static @Nullable String sound(String text) {
        return text.indexOf('\0') >= 0 ? null : text.strip();
    }

    /// @param opening 0 or a negated errno
    private static boolean isMissing(Path file, int opening) {
        return switch (-opening) {
            case 0 -> false;
            case Errno.ENOENT, Errno.ENODEV, Errno.ENOTDIR -> true;
            default ->
                throw KernelErrors.failure(
                        "read " + file, -opening, GeneralCauses.ofFile(-opening));
        };
    }

    /// Returns an attribute without the white space around it, or another text if it does not exist or cannot be read.
    public static String text(Path attribute, String otherwise) {
        String text = text(attribute);
        return text == null ? otherwise : text;
    }

    /// Returns the number at the start of an attribute, as in `1: CA`, `0x1234` or `2`.
    ///
    /// @param otherwise the result if the attribute does not exist or does not start with a number
    public static int number(Path attribute, int otherwise) {
        String text = text(attribute, "");
        int end = 0;
        while (end < text.length() && Character.isLetterOrDigit(text.charAt(end))) {
            end++;
        }
        try {
            return Integer.decode(text.substring(0, end));
        } catch (NumberFormatException e) {
            return otherwise;
        }
    }

    /// Returns a GUID, four groups of four hexadecimal digits, as a big-endian number; 0 if it does not exist or has
    /// another form.
    public static long guid(Path attribute) {
        String text = text(attribute, "");
        try {
            return text.length() == GUID_LENGTH ? Long.parseUnsignedLong(text.replace(":", ""), 16) : 0;
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    /// Returns the names in a folder, in numerical order, so that `uverbs10` follows `uverbs9`.
    ///
    /// @return empty if the folder does not exist
    /// @throws io.verbs4j.types.VerbsException if it cannot be opened for another reason
    public static List<String> names(Path folder) {
        // Uses the older interface, which loads a tenth of a directory stream's classes.
        String[] names = folder.toFile().list();
        if (names == null && folder.toFile().exists()) {
            names = isMissing(folder, SmallFile.tryOpening(folder)) ? null : folder.toFile().list();
        }
        if (names == null) {
            return List.of();
        }
        Arrays.sort(names, ByNumber.ORDER);
        return List.of(names);
    }
}
