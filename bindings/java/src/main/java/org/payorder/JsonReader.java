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
            case 't':
                return word("true", JsonValue.Kind.BOOLEAN);
            case 'f':
                return word("false", JsonValue.Kind.BOOLEAN);
            case 'n':
                return word("null", JsonValue.Kind.NULL);
            default:
                number();
                return made(JsonValue.Kind.NUMBER, start, null);
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
        switch (one) {
            case 'b':
                return '\b';
            case 'f':
                return '\f';
            case 'n':
                return '\n';
            case 'r':
                return '\r';
            case 't':
                return '\t';
            case '"':
            case '\\':
            case '/':
                return one;
            case 'u':
                int code = 0;
                for (int digits = 0; digits < 4; digits++) {
                    int digit = Character.digit(next(), 16);
                    if (digit < 0) {
                        throw wrong();
                    }
                    code = code * 16 + digit;
                }
                return (char) code;
            default:
                throw wrong();
        }
    }

    private void number() {
        int start = at;
        while (at < json.length() && "+-.0123456789eE".indexOf(json.charAt(at)) >= 0) {
            at++;
        }
        if (at == start) {
            throw wrong();
        }
    }

    private JsonValue word(String word, JsonValue.Kind kind) {
        int start = at;
        for (int one = 0; one < word.length(); one++) {
            take(word.charAt(one));
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
