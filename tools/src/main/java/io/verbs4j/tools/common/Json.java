// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.common;

import io.verbs4j.tracing.JsonText;
import io.verbs4j.types.Gid;
import java.lang.reflect.RecordComponent;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/// Writes values as JSON (RFC 8259). Only writing of known types is needed, which takes a page of code. A library would
/// slow down the start of each command.
///
/// Maps and records become objects, with components in order. A record with the only component `value` is a code, and
/// becomes its text, as does a GID. A `long` is written as an unsigned 64-bit number. Empty values and NaN become
/// `null`. Everything else becomes its text.
public final class Json {
    private static final String INDENT = "  ";

    private final StringBuilder text = new StringBuilder();
    private final boolean pretty;

    private Json(boolean pretty) {
        this.pretty = pretty;
    }

    /// Returns a value as JSON on several lines.
    public static String pretty(@Nullable Object value) {
        return new Json(true).value(value, "\n").text.toString();
    }

    /// Returns a value as JSON on one line, for streams of values.
    public static String line(@Nullable Object value) {
        return new Json(false).value(value, "").text.toString();
    }

    private Json value(@Nullable Object value, String newLine) {
        switch (value) {
            case null -> text.append("null");
            case Optional<?> optional -> value(optional.orElse(null), newLine);
            case OptionalInt optional -> value(optional.isPresent() ? optional.getAsInt() : null, newLine);
            case OptionalLong optional -> value(optional.isPresent() ? optional.getAsLong() : null, newLine);
            case Long number -> text.append(Long.toUnsignedString(number));
            case Double number -> text.append(Double.isFinite(number) ? number.toString() : "null");
            case Number number -> text.append(number);
            case Boolean bool -> text.append(bool.booleanValue());
            case Map<?, ?> map -> object(map, newLine);
            case List<?> list -> array(list, newLine);
            case Gid gid -> string(gid.toString());
            case Record record when !isCode(record) -> object(components(record), newLine);
            default -> string(value.toString());
        }
        return this;
    }

    private void object(Map<?, ?> map, String newLine) {
        String inner = pretty ? newLine + INDENT : "";
        String separator = "";
        text.append('{');
        for (Map.Entry<?, ?> entry : map.entrySet()) {
            text.append(separator).append(inner);
            string(String.valueOf(entry.getKey()));
            text.append(pretty ? ": " : ":");
            value(entry.getValue(), inner);
            separator = ",";
        }
        text.append(map.isEmpty() ? "" : newLine).append('}');
    }

    private void array(List<?> list, String newLine) {
        String inner = pretty ? newLine + INDENT : "";
        String separator = "";
        text.append('[');
        for (Object element : list) {
            text.append(separator).append(inner);
            value(element, inner);
            separator = ",";
        }
        text.append(list.isEmpty() ? "" : newLine).append(']');
    }

    private void string(String value) {
        text.append(JsonText.quoted(value));
    }

    private static boolean isCode(Record record) {
        RecordComponent[] components = record.getClass().getRecordComponents();
        return components.length == 1 && components[0].getName().equals("value");
    }

    private static Map<String, @Nullable Object> components(Record record) {
        var map = new LinkedHashMap<String, @Nullable Object>();
        for (RecordComponent component : record.getClass().getRecordComponents()) {
            try {
                var accessor = component.getAccessor();
                accessor.setAccessible(true); // the record itself may not be public
                map.put(component.getName(), accessor.invoke(record));
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException(e);
            }
        }
        return map;
    }
}
