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
                return object(start, depth);
            case '[':
                return array(start, depth);
            case '"':
                String text = string();
                return made(JsonValue.Kind.STRING, start, text);
            default:
                return word(start);
        }
    }

    private JsonValue object(int start, int depth) {
        List<String> keys = new ArrayList<>();
        List<JsonValue> values = new ArrayList<>();
        open('{', depth);
        while (!closes('}', values.size())) {
            blanks();
            keys.add(string());
            blanks();
            take(':');
            values.add(value(depth + 1));
        }
        return new JsonValue(JsonValue.Kind.OBJECT, json, start, at, null, keys, values);
    }

    private JsonValue array(int start, int depth) {
        List<JsonValue> values = new ArrayList<>();
        open('[', depth);
        while (!closes(']', values.size())) {
            values.add(value(depth + 1));
        }
        return new JsonValue(JsonValue.Kind.ARRAY, json, start, at, null, null, values);
    }

    private void open(char bracket, int depth) {
        take(bracket);
        if (depth >= MAX_DEPTH) {
            throw wrong();
        }
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
        if (word.equals("null")) {
            return made(JsonValue.Kind.NULL, start, null);
        }
        if (word.equals("true") || word.equals("false")) {
            return made(JsonValue.Kind.BOOLEAN, start, null);
        }
        if (!word.matches("[-+.0-9eE]+")) {
            throw wrong();
        }
        return made(JsonValue.Kind.NUMBER, start, null);
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
