import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.payorder.*;

/** What a step says, as the package's own objects. */
final class Steps {
    /** The setters that are not named after their key. */
    private static final Map<String, String> SETTERS =
            Map.of(
                    "waitMs", "waitFor",
                    "final", "finalStatuses",
                    "redirectionURL", "redirectionUrl",
                    "roots", "tlsRoots",
                    "caFile", "tlsCaFile");

    private static final JsonValue NOTHING = JsonValue.parse("{}");

    private Steps() {}

    /** Gives each value to the setter of its key. */
    static <T> T fill(T target, JsonValue json) {
        for (String key : json.getKeys()) {
            JsonValue value = json.get(key);
            if (key.equals("tls")) {
                fill(target, value);
            } else if (!key.equals("baseUrl")) {
                set(target, SETTERS.getOrDefault(key, key.replaceFirst("Ms$", "")), value);
            }
        }
        return target;
    }

    private static void set(Object target, String name, JsonValue value) {
        for (Method setter : target.getClass().getMethods()) {
            if (setter.getName().equals(name) && setter.getParameterCount() == 1) {
                Object argument = argument(setter.getParameterTypes()[0], value);
                if (argument != null) {
                    try {
                        setter.invoke(target, argument);
                        return;
                    } catch (IllegalAccessException | InvocationTargetException error) {
                        throw new IllegalStateException(error);
                    }
                }
            }
        }
        throw new IllegalArgumentException("no setter " + name + " takes " + value);
    }

    /** A value as a setter takes it; null if it takes no such value. */
    private static Object argument(Class<?> type, JsonValue value) {
        if (type == String.class) {
            return value.getKind() == JsonValue.Kind.STRING ? value.getText() : null;
        }
        if (type == Duration.class) {
            return Duration.ofMillis(Long.parseLong(value.getRaw()));
        }
        if (type == List.class) {
            List<String> texts = new ArrayList<>();
            value.getItems().forEach(one -> texts.add(one.getText()));
            return texts;
        }
        if (type == Map.class) {
            return texts(value);
        }
        try {
            String text = type.isEnum() ? value.getText().toUpperCase(Locale.ROOT) : value.getRaw();
            return type.getMethod("valueOf", String.class).invoke(null, text);
        } catch (ReflectiveOperationException noSuchValue) {
            return null;
        }
    }

    static ClientConfig config(JsonValue json) {
        return fill(new ClientConfig(text(json, "baseUrl")), json);
    }

    /** The order, or null if it has other fields or types than the class, or is a text. */
    static Order order(JsonValue json) {
        try {
            return json.getKind() == JsonValue.Kind.STRING ? null : fill(new Order(), json);
        } catch (IllegalArgumentException another) {
            return null;
        }
    }

    static StatusQuery query(JsonValue json) {
        boolean single = json.getKeys().size() == 1;
        if (single && json.get("orderId") != null) {
            return StatusQuery.byOrder(text(json, "orderId"));
        }
        return single && json.get("transactionId") != null
                ? StatusQuery.byTransaction(text(json, "transactionId"))
                : StatusQuery.fromJson(json.getText());
    }

    static ExpectedPayment expected(JsonValue json) {
        String began = text(json, "notBefore");
        return new ExpectedPayment(text(json, "orderId"), text(json, "amount"))
                .transactionId(text(json, "transactionId"))
                .notBefore(began == null ? null : Instant.parse(began));
    }

    static <T extends Options<T>> T options(T options, JsonValue step, Cancellation cancellation) {
        return fill(options, object(step, "options")).cancellation(cancellation);
    }

    static ListOptions listOptions(JsonValue step, Cancellation cancellation) {
        ListOptions options = new ListOptions().cancellation(cancellation);
        JsonValue json = object(step, "options");
        for (String key : json.getKeys()) {
            String text = text(json, key);
            if (text.equals("unresolved")) {
                options.unresolved();
            } else if (text.equals("open")) {
                options.open();
            } else {
                set(options, key, json.get(key));
            }
        }
        return options;
    }

    static Map<String, String> texts(JsonValue json) {
        Map<String, String> texts = new LinkedHashMap<>();
        json.getKeys().forEach(key -> texts.put(key, text(json, key)));
        return texts;
    }

    static JsonValue object(JsonValue json, String key) {
        JsonValue value = json.get(key);
        return value == null ? NOTHING : value;
    }

    static String text(JsonValue json, String key) {
        JsonValue value = json.get(key);
        return value == null ? null : value.getText();
    }

    static Integer number(JsonValue json, String key) {
        JsonValue value = json.get(key);
        return value == null ? null : Integer.valueOf(value.getRaw());
    }
}
