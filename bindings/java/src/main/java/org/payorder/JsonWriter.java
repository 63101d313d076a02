package org.payorder;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Writes a JSON object. A value that is null is left out. */
final class JsonWriter {
    private final StringBuilder text = new StringBuilder("{");

    JsonWriter add(String key, String value) {
        return value == null ? this : addJson(key, quote(value, key));
    }

    /** Adds a time in milliseconds, rounded up: a short one must not become 0. */
    JsonWriter add(String key, Duration value) {
        return value == null
                ? this
                : add(key, (Object) value.plusNanos(999_999).toMillis());
    }

    /** Adds a whole number or a boolean, which Java writes as JSON does. */
    JsonWriter add(String key, Object value) {
        return value == null ? this : addJson(key, value.toString());
    }

    JsonWriter add(String key, Iterable<String> values) {
        if (values == null) {
            return this;
        }
        List<String> quoted = new ArrayList<>();
        for (String value : values) {
            quoted.add(quote(value, key));
        }
        return addJson(key, "[" + String.join(",", quoted) + "]");
    }

    JsonWriter add(String key, Map<String, String> members) {
        if (members == null) {
            return this;
        }
        JsonWriter json = new JsonWriter();
        for (Map.Entry<String, String> member : members.entrySet()) {
            json.addJson(member.getKey(), quote(member.getValue(), member.getKey()));
        }
        return addJson(key, json.toString());
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
