package org.payorder;

/** Settings under their keys in JSON. What is null or not set has its default. */
abstract class Settings<T extends Settings<T>> {
    /** Of one call; or null. */
    Cancellation cancellation;

    /** Transient: what writes the fields of objects, such as Gson, must see no credential. */
    private final transient JsonWriter values = new JsonWriter();

    @SuppressWarnings("unchecked")
    T self() {
        return (T) this;
    }

    T set(String key, Object value) {
        values.add(key, value);
        return self();
    }

    /** Sets a key of an object in the JSON. */
    T set(String group, String key, Object value) {
        JsonWriter members = (JsonWriter) get(group);
        return set(group, (members == null ? new JsonWriter() : members).add(key, value));
    }

    Object get(String key) {
        return values.get(key);
    }

    /** A copy, to which a call adds its own keys. */
    JsonWriter write() {
        return new JsonWriter().addAll(values);
    }
}
