package org.payorder;

import java.util.LinkedHashMap;
import java.util.Map;

/** Settings under their keys in JSON. What is null or not set has its default. */
abstract class Settings<T extends Settings<T>> {
    /** Of one call; or null. */
    Cancellation cancellation;

    /** Transient: what writes the fields of objects, such as Gson, must see no credential. */
    private final transient Map<String, Object> values = new LinkedHashMap<>();

    /** Those that no class of the package's users has. */
    static final class Plain extends Settings<Plain> {}

    @SuppressWarnings("unchecked")
    T self() {
        return (T) this;
    }

    T set(String key, Object value) {
        values.put(key, value);
        return self();
    }

    /** Sets a key of an object in the JSON. */
    T set(String group, String key, Object value) {
        ((Plain) values.computeIfAbsent(group, none -> new Plain())).set(key, value);
        return self();
    }

    Object get(String key) {
        return values.get(key);
    }

    JsonWriter write() {
        JsonWriter json = new JsonWriter();
        values.forEach(json::add);
        return json;
    }
}
