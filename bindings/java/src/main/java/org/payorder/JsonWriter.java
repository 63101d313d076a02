package org.payorder;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Writes a JSON object. A value that is null is left out. */
final class JsonWriter {
    private final StringBuilder text = new StringBuilder("{");

    JsonWriter add(String key, Object value) {
        return value == null ? this : addJson(key, json(key, value));
    }

    private static String json(String key, Object value) {
        if (value instanceof String) {
            return quote((String) value, key);
        }
        if (value instanceof Enum) {
            return quote(((Enum<?>) value).name().toLowerCase(Locale.ROOT), key);
        }
        if (value instanceof Duration) {
            // In milliseconds, rounded up: a short one must not become 0.
            return "" + ((Duration) value).plusNanos(999_999).toMillis();
        }
        if (value instanceof Settings) {
            return ((Settings<?>) value).write().toString();
        }
        if (value instanceof Iterable) {
            List<String> quoted = new ArrayList<>();
            ((Iterable<?>) value).forEach(one -> quoted.add(quote((String) one, key)));
            return "[" + String.join(",", quoted) + "]";
        }
        if (value instanceof Map) {
            JsonWriter members = new JsonWriter();
            for (Map.Entry<?, ?> member : ((Map<?, ?>) value).entrySet()) {
                String name = (String) member.getKey();
                members.addJson(name, quote((String) member.getValue(), name));
            }
            return members.toString();
        }
        // A number or a boolean, which Java writes as JSON does.
        return value.toString();
    }

    /** Adds a value that is JSON already. */
    JsonWriter addJson(String key, String json) {
        if (json == null) {
            return this;
        }
        if (text.length() > 1) {
            text.append(',');
        }
        text.append(quote(key, key)).append(':').append(json);
        return this;
    }

    /** The object as JSON text. */
    @Override
    public String toString() {
        return text + "}";
    }

    static String quote(String text, String name) {
        if (text == null) {
            return "null";
        }
        Utf8.check(text, name);
        StringBuilder quoted = new StringBuilder(text.length() + 2).append('"');
        for (int at = 0; at < text.length(); at++) {
            char one = text.charAt(at);
            if (one == '"' || one == '\\') {
                quoted.append('\\').append(one);
            } else if (one < ' ') {
                quoted.append(String.format("\\u%04x", (int) one));
            } else {
                quoted.append(one);
            }
        }
        return quoted.append('"').toString();
    }
}
