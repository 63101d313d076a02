package org.payorder;

import java.util.ArrayList;
import java.util.List;

/** Reads JSON, because the JDK has no reader. */
final class JsonReader {
    // The library accepts 127.
    private static final int MAX_DEPTH = 512;

    private final String json;
    private int at;

    JsonReader(String json) {
        this.json = json;
    }

    JsonValue read() {
        JsonValue value = value(0);
        blanks();
        if (at != json.length()) {
            throw wrong();
        }
        return value;
    }

    private JsonValue value(int depth) {
        blanks();
        int start = at;
        switch (peek()) {
            case '{':
                return container(start, depth, '}', new ArrayList<>());
            case '[':
                return container(start, depth, ']', null);
            case '"':
                String text = string();
                return made(JsonValue.Kind.STRING, start, text);
            default:
                return word(start);
        }
    }

    /** An object, if there is a list for its keys, or an array. */
    private JsonValue container(int start, int depth, char close, List<String> keys) {
        if (depth >= MAX_DEPTH) {
            throw wrong();
        }
        at++;
        List<JsonValue> values = new ArrayList<>();
        while (!closes(close, values.size())) {
            if (keys != null) {
                blanks();
                keys.add(string());
                blanks();
                take(':');
            }
            values.add(value(depth + 1));
        }
        JsonValue.Kind kind = keys == null ? JsonValue.Kind.ARRAY : JsonValue.Kind.OBJECT;
        return new JsonValue(kind, json, start, at, null, keys, values);
    }

    /** Whether the bracket follows; otherwise takes the comma between items. */
    private boolean closes(char bracket, int items) {
        blanks();
        if (peek() == bracket) {
            at++;
            return true;
        }
        if (items > 0) {
            take(',');
        }
        return false;
    }

    private String string() {
        take('"');
        StringBuilder text = new StringBuilder();
        for (; ; ) {
            char one = next();
            if (one == '"') {
                return text.toString();
            }
            text.append(one == '\\' ? escaped() : one);
        }
    }

    private char escaped() {
        char one = next();
        if (one == 'u') {
            int code = 0;
            for (int digits = 0; digits < 4; digits++) {
                int digit = Character.digit(next(), 16);
                if (digit < 0) {
                    throw wrong();
                }
                code = code * 16 + digit;
            }
            return (char) code;
        }
        int known = "\"\\/bfnrt".indexOf(one);
        if (known < 0) {
            throw wrong();
        }
        return "\"\\/\b\f\n\r\t".charAt(known);
    }

    /** A number, true, false or null. */
    private JsonValue word(int start) {
        while (at < json.length() && ",:]} \t\r\n".indexOf(json.charAt(at)) < 0) {
            at++;
        }
        String word = json.substring(start, at);
        JsonValue.Kind kind = JsonValue.Kind.NUMBER;
        if (word.equals("null")) {
            kind = JsonValue.Kind.NULL;
        } else if (word.equals("true") || word.equals("false")) {
            kind = JsonValue.Kind.BOOLEAN;
        } else if (!word.matches("[-+.0-9eE]+")) {
            throw wrong();
        }
        return made(kind, start, null);
    }

    private JsonValue made(JsonValue.Kind kind, int start, String text) {
        return new JsonValue(kind, json, start, at, text, null, null);
    }

    private void blanks() {
        while (at < json.length() && " \t\r\n".indexOf(json.charAt(at)) >= 0) {
            at++;
        }
    }

    private char peek() {
        if (at >= json.length()) {
            throw wrong();
        }
        return json.charAt(at);
    }

    private char next() {
        char one = peek();
        at++;
        return one;
    }

    private void take(char expected) {
        if (next() != expected) {
            throw wrong();
        }
    }

    private IllegalArgumentException wrong() {
        return new IllegalArgumentException("not JSON near character " + at);
    }
}
