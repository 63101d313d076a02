package org.payorder;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.time.format.ResolverStyle;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A value of a JSON text, for fields that this version of the package has no method for. Numbers
 * stay as they are written.
 */
public final class JsonValue {
    /** What a value is. */
    public enum Kind {
        NULL,
        BOOLEAN,
        NUMBER,
        STRING,
        ARRAY,
        OBJECT
    }

    /** A date as the service sends it. */
    private static final DateTimeFormatter SENT =
            DateTimeFormatter.ofPattern("MM/dd/uuuu hh:mm:ss a", Locale.ENGLISH)
                    .withResolverStyle(ResolverStyle.STRICT);

    private final Kind kind;
    private final String source;
    private final int start;

    // What the reader finds after the beginning.
    int end;
    String content;
    final List<String> names = new ArrayList<>();
    final List<JsonValue> values = new ArrayList<>();

    JsonValue(Kind kind, String source, int start, int end) {
        this.kind = kind;
        this.source = source;
        this.start = start;
        this.end = end;
    }

    /**
     * Reads a JSON text.
     *
     * @throws IllegalArgumentException if it is not JSON
     */
    public static JsonValue parse(String json) {
        return new JsonReader(json).read();
    }

    /** What the value is. */
    public Kind getKind() {
        return kind;
    }

    /** The value as it is written in the text. */
    public String getRaw() {
        return source.substring(start, end);
    }

    /** A string's own text. Of null: null. Of any other value: its JSON. */
    public @Nullable String getText() {
        return kind == Kind.STRING ? content : kind == Kind.NULL ? null : getRaw();
    }

    /** The elements of an array, or the values of an object. */
    public List<JsonValue> getItems() {
        return Collections.unmodifiableList(values);
    }

    /** The keys of an object, in the order of {@link #getItems}. */
    public List<String> getKeys() {
        return Collections.unmodifiableList(names);
    }

    /** The value of an object's key, or null if there is none. */
    public @Nullable JsonValue get(String key) {
        int at = names.indexOf(key);
        return at < 0 ? null : values.get(at);
    }

    /** The value as JSON text. */
    @Override
    public String toString() {
        return getRaw();
    }

    /** The value of an object's key; null if there is none or it is null. */
    JsonValue present(String key) {
        JsonValue value = get(key);
        return value == null || value.kind == Kind.NULL ? null : value;
    }

    /** The elements of an array that an object must have. */
    <T> List<T> listOf(String key, Function<JsonValue, T> read) {
        JsonValue value = get(key);
        if (value == null || value.kind != Kind.ARRAY) {
            throw new IllegalArgumentException("no array \"" + key + "\"");
        }
        List<T> elements = new ArrayList<>();
        value.getItems().forEach(one -> elements.add(read.apply(one)));
        return Collections.unmodifiableList(elements);
    }

    /** The same; an empty list if there is none. */
    <T> List<T> listIfAny(String key, Function<JsonValue, T> read) {
        return present(key) == null ? Collections.emptyList() : listOf(key, read);
    }

    /** What a value is read as; null if there is none. */
    <T> T partOf(String key, Function<JsonValue, T> read) {
        JsonValue value = present(key);
        return value == null ? null : read.apply(value);
    }

    /** The numbers of an object by their keys. */
    Map<String, Long> countsOf(String key) {
        Map<String, Long> counts = new LinkedHashMap<>();
        JsonValue value = get(key);
        if (value != null) {
            value.getKeys().forEach(one -> counts.put(one, value.numberOf(one)));
        }
        return Collections.unmodifiableMap(counts);
    }

    /** The URL of a created order. */
    String checkoutUrl() {
        JsonValue data = get("data");
        String url = data == null ? null : data.textOf("url");
        if (url == null) {
            throw new IllegalArgumentException("no checkout URL");
        }
        return url;
    }

    /** The summary in a result; that of a test may be missing. */
    Summary summary() {
        JsonValue summary = get("summary");
        return new Summary(summary == null ? parse("{}") : summary);
    }

    /** The text of an object's key; null if there is none or it is null. */
    String textOf(String key) {
        JsonValue value = get(key);
        return value == null ? null : value.getText();
    }

    /** A text, also of an object in it, such as "data/amount"; empty if there is none. */
    String emptyOf(String path) {
        JsonValue value = this;
        for (String key : path.split("/")) {
            value = value == null ? null : value.get(key);
        }
        String text = value == null ? null : value.getText();
        return text == null ? "" : text;
    }

    /** Whether a status is completed, also without what the library derives from it. */
    boolean isCompleted(String path) {
        String derived = emptyOf(path);
        return derived.isEmpty()
                ? emptyOf("data/transactionStatus").equals("Completed")
                : derived.equals("true");
    }

    /** A status's date, also without what the library derives from it; null if there is none. */
    LocalDateTime dateOf(String path) {
        String sent = emptyOf("data/transactionDate");
        if (sent.isEmpty()) {
            return null; // verification reads only this text
        }
        return get("derived") == null
                ? readable(sent, text -> LocalDateTime.parse(text, SENT))
                : readable(emptyOf(path), LocalDateTime::parse);
    }

    /** A time such as 2026-11-21T14:05:06.789Z; null if there is none. */
    Instant instantOf(String key) {
        return readable(textOf(key), Instant::parse);
    }

    /** The whole number of an object's key; null if there is none. */
    Long numberOf(String key) {
        JsonValue value = get(key);
        return value == null || value.kind != Kind.NUMBER
                ? null
                : readable(value.getRaw(), Long::valueOf);
    }

    /** What that is read as; null if there is none. */
    <T> T numberOf(String key, Function<Long, T> read) {
        Long number = numberOf(key);
        return number == null ? null : read.apply(number);
    }

    /** The same as an int; 0 if there is none. */
    int countOf(String key) {
        Long number = numberOf(key);
        return number == null ? 0 : number.intValue();
    }

    /** What a text is read as; null if there is none, or if it is another one. */
    private static <T> T readable(String text, Function<String, T> read) {
        try {
            return text == null ? null : read.apply(text);
        } catch (DateTimeParseException | NumberFormatException another) {
            return null;
        }
    }

    /** A name of an enumeration, whose last member is for all others; null if there is none. */
    <E extends Enum<E>> E nameOf(String key, Class<E> kind) {
        String name = textOf(key);
        E[] all = kind.getEnumConstants();
        for (E one : all) {
            if (one.name().toLowerCase(Locale.ROOT).equals(name)) {
                return one;
            }
        }
        return name == null ? null : all[all.length - 1];
    }

    boolean isTrue(String key) {
        JsonValue value = get(key);
        return value != null && value.kind == Kind.BOOLEAN && value.getRaw().equals("true");
    }
}
