package org.payorder;

import java.util.ArrayDeque;
import java.util.Deque;
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

    /** What JSON is made of, or its end, with the blanks before it. */
    private static final Pattern TOKEN =
            Pattern.compile(
                    "[ \t\r\n]*+([{}\\[\\],:]|null|true|false|" + NUMBER + "|" + STRING + "|\\z)");

    private final String json;
    private final Matcher tokens;
    private int at;

    JsonReader(String json) {
        this.json = json;
        tokens = TOKEN.matcher(json);
        next();
    }

    JsonValue read() {
        // The objects and arrays whose ends come later.
        Deque<JsonValue> outer = new ArrayDeque<>();
        while (true) {
            JsonValue value = new JsonValue(kind(), json, tokens.start(1), at);
            boolean ended = !"{[".contains("" + first());
            if (!ended) {
                outer.push(value);
            } else if (first() == '"') {
                value.content = string();
            }
            next();
            // Until the first token of a value.
            for (; ; ) {
                JsonValue open = outer.peek();
                if (open == null) {
                    if (first() != '\0') {
                        throw wrong();
                    }
                    return value;
                }
                if (ended) {
                    open.values.add(value);
                }
                boolean isObject = open.getKind() == JsonValue.Kind.OBJECT;
                if (first() == (isObject ? '}' : ']')) {
                    value = outer.pop();
                    value.end = at;
                    ended = true;
                    next();
                    continue;
                }
                if (ended) {
                    take(',');
                }
                if (isObject) {
                    open.names.add(string());
                    next();
                    take(':');
                }
                break;
            }
        }
    }

    private void next() {
        if (!tokens.region(at, json.length()).lookingAt()) {
            throw wrong();
        }
        at = tokens.end();
    }

    /** The first character of the token; NUL at the end of the text. */
    private char first() {
        return tokens.start(1) < at ? json.charAt(tokens.start(1)) : '\0';
    }

    private JsonValue.Kind kind() {
        switch (first()) {
            case '{':
                return JsonValue.Kind.OBJECT;
            case '[':
                return JsonValue.Kind.ARRAY;
            case '"':
                return JsonValue.Kind.STRING;
            case 'n':
                return JsonValue.Kind.NULL;
            case 't':
            case 'f':
                return JsonValue.Kind.BOOLEAN;
            default:
                if ("}],:\0".indexOf(first()) >= 0) {
                    throw wrong();
                }
                return JsonValue.Kind.NUMBER;
        }
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
