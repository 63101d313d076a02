package org.payorder;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads JSON, because the JDK has no reader. At any depth, as the library does: an answer may have
 * the only copy of a checkout URL.
 */
final class JsonReader {
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

    /** An object, if it has a list for its keys, or an array, whose end comes later. */
    private static final class Open {
        final int start;
        final List<String> keys;
        final List<JsonValue> values = new ArrayList<>();

        Open(int start, List<String> keys) {
            this.start = start;
            this.keys = keys;
        }
    }

    JsonValue read() {
        Deque<Open> outer = new ArrayDeque<>();
        while (true) {
            char first = first();
            JsonValue value = null;
            if (first == '{' || first == '[') {
                outer.push(new Open(tokens.start(1), first == '{' ? new ArrayList<>() : null));
                next();
            } else {
                value = scalar();
            }
            // Until the first token of a value.
            for (; ; ) {
                Open open = outer.peek();
                if (open == null) {
                    if (at != json.length()) {
                        throw wrong();
                    }
                    return value;
                }
                if (value != null) {
                    open.values.add(value);
                    next();
                }
                if (first() == (open.keys == null ? ']' : '}')) {
                    value = end(outer.pop());
                    continue;
                }
                if (value != null) {
                    take(',');
                }
                if (open.keys != null) {
                    open.keys.add(string());
                    next();
                    take(':');
                }
                break;
            }
        }
    }

    private JsonValue end(Open open) {
        JsonValue.Kind kind = open.keys == null ? JsonValue.Kind.ARRAY : JsonValue.Kind.OBJECT;
        return new JsonValue(kind, json, open.start, tokens.end(1), null, open.keys, open.values);
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

    private JsonValue scalar() {
        switch (first()) {
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
