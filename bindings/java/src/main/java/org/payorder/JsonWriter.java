package org.payorder;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;

/** A JSON object that is made. Its text leaves out what is null. */
final class JsonWriter {
    private final Map<String, Object> members = new LinkedHashMap<>();

    /** Sets the value of a key, which keeps its place if it had one before. */
    JsonWriter add(String key, Object value) {
        members.put(key, value);
        return this;
    }

    JsonWriter addAll(JsonWriter others) {
        members.putAll(others.members);
        return this;
    }

    Object get(String key) {
        return members.get(key);
    }

    /** The object as JSON text. */
    @Override
    public String toString() {
        return toString(Result.INVALID_ARGUMENT);
    }

    /** The same with the result of a value that cannot be sent to the library. */
    String toString(Result invalid) {
        StringJoiner object = new StringJoiner(",", "{", "}");
        members.forEach(
                (key, value) -> {
                    if (value != null) {
                        object.add(quote(key, key) + ":" + json(key, value, invalid));
                    }
                });
        return object.toString();
    }

    private static String json(String key, Object value, Result invalid) {
        if (value instanceof String) {
            return quote((String) value, key);
        }
        if (value instanceof Enum) {
            return quote(((Enum<?>) value).name().toLowerCase(Locale.ROOT), key);
        }
        if (value instanceof Double && !Double.isFinite((Double) value)) {
            throw PayorderException.of(invalid, key + " must be a finite number");
        }
        if (value instanceof Duration) {
            Duration time = (Duration) value;
            if (time.isNegative()) {
                String name = key.equals("waitMs") ? "waitFor" : key.replace("Ms", "");
                throw PayorderException.of(invalid, name + " must not be negative");
            }
            // In milliseconds, rounded up: a short one must not become 0.
            return BigDecimal.valueOf(time.getSeconds())
                    .add(BigDecimal.valueOf(time.getNano(), 9))
                    .movePointRight(3)
                    .setScale(0, RoundingMode.CEILING)
                    .toPlainString();
        }
        if (value instanceof Iterable) {
            StringJoiner array = new StringJoiner(",", "[", "]");
            ((Iterable<?>) value).forEach(one -> array.add(quote((String) one, key)));
            return array.toString();
        }
        if (value instanceof Map) {
            StringJoiner texts = new StringJoiner(",", "{", "}");
            ((Map<?, ?>) value)
                    .forEach(
                            (name, one) -> {
                                String text = quote((String) one, (String) name);
                                texts.add(quote((String) name, key) + ":" + text);
                            });
            return texts.toString();
        }
        // A number or a boolean, which Java writes as JSON does, or JSON already.
        return value.toString();
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
