package org.payorder;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads JSON, because the JDK has no reader. */
final class JsonReader {
    // The library accepts 127.
    private static final int MAX_DEPTH = 512;

    private static final String STRING =
            "\"(?:[^\"\\\\\\x00-\\x1f]++|\\\\(?:[\"\\\\/bfnrt]|u\\p{XDigit}{4}))*+\"";

    private static final String NUMBER =
            "-?(?:0|[1-9][0-9]*+)(?:\\.[0-9]++)?(?:[eE][-+]?[0-9]++)?";

    /** What JSON is made of, with the blanks around it. */
    private static final Pattern TOKEN =
            Pattern.compile(
                    "[ \t\r\n]*+([{}\\[\\],:]|null|true|false|"
                            + NUMBER
                            + "|"
                            + STRING
                            + ")[ \t\r\n]*+");

    private final String json;
    private final Matcher tokens;
    private int at;

    JsonReader(String json) {
        this.json = json;
        tokens = TOKEN.matcher(json);
        next();
    }

    JsonValue read() {
        JsonValue value = value(0);
        if (at != json.length()) {
            throw wrong();
        }
        return value;
    }

    private void next() {
        if (!tokens.region(at, json.length()).lookingAt()) {
            throw wrong();
        }
        at = tokens.end();
    }

    private char first() {
        return json.charAt(tokens.start(1));
    }

    /** Reads the value that begins with the token, to its last token. */
    private JsonValue value(int depth) {
        switch (first()) {
            case '{':
                return container(depth, '}', new ArrayList<>());
            case '[':
                return container(depth, ']', null);
            case '"':
                return scalar(JsonValue.Kind.STRING, string());
            case 'n':
                return scalar(JsonValue.Kind.NULL, null);
            case 't':
            case 'f':
                return scalar(JsonValue.Kind.BOOLEAN, null);
            case '}':
            case ']':
            case ',':
            case ':':
                throw wrong();
            default:
                return scalar(JsonValue.Kind.NUMBER, null);
        }
    }

    private JsonValue scalar(JsonValue.Kind kind, String text) {
        return new JsonValue(kind, json, tokens.start(1), tokens.end(1), text, null, null);
    }

    /** An object, if there is a list for its keys, or an array. */
    private JsonValue container(int depth, char close, List<String> keys) {
        if (depth >= MAX_DEPTH) {
            throw wrong();
        }
        int start = tokens.start(1);
        List<JsonValue> values = new ArrayList<>();
        next();
        while (first() != close) {
            if (!values.isEmpty()) {
                take(',');
            }
            if (keys != null) {
                keys.add(string());
                next();
                take(':');
            }
            values.add(value(depth + 1));
            next();
        }
        JsonValue.Kind kind = keys == null ? JsonValue.Kind.ARRAY : JsonValue.Kind.OBJECT;
        return new JsonValue(kind, json, start, tokens.end(1), null, keys, values);
    }

    private void take(char expected) {
        if (first() != expected) {
            throw wrong();
        }
        next();
    }

    private String string() {
        if (first() != '"') {
            throw wrong();
        }
        String token = tokens.group(1);
        StringBuilder text = new StringBuilder();
        for (int i = 1; i < token.length() - 1; i++) {
            char one = token.charAt(i);
            if (one == '\\' && token.charAt(++i) == 'u') {
                one = (char) Integer.parseInt(token.substring(i + 1, i + 5), 16);
                i += 4;
            } else if (one == '\\') {
                one = "\"\\/\b\f\n\r\t".charAt("\"\\/bfnrt".indexOf(token.charAt(i)));
            }
            text.append(one);
        }
        return text.toString();
    }

    private IllegalArgumentException wrong() {
        return new IllegalArgumentException("not JSON near character " + at);
    }
}
