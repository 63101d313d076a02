import java.lang.reflect.Method;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.payorder.*;

/** The package's objects as JSON: what each getter says, under its name. */
final class Reports {
    /** The keys that are not named after their getter. */
    private static final Map<String, String> KEYS =
            Map.of(
                    "getErrorCause", "cause",
                    "getTransactionDateText", "transactionDate",
                    "getTransactionDate", "date");

    /** The names of the classes, for the driver's first line. */
    static final Map<String, Object> CLASSES =
            Map.of(
                    "not_sent", "NotSentException",
                    "rejected", "RejectedException",
                    "unknown", "OutcomeUnknownException",
                    "unusable", "UnusableTextException",
                    "suffix", "Exception",
                    "PAYORDER_TLS_FAILED", "TlsException",
                    "PAYORDER_JOURNAL_FAILED", "JournalException",
                    "PAYORDER_TIMEOUT", "ResponseTimeoutException");

    private Reports() {}

    /** Writes a value as JSON. */
    static String json(Object value) {
        if (value instanceof String) {
            return quoted((String) value);
        }
        if (value instanceof List) {
            List<String> items = new ArrayList<>();
            ((List<?>) value).forEach(one -> items.add(json(one)));
            return "[" + String.join(",", items) + "]";
        }
        if (value instanceof Map) {
            List<String> members = new ArrayList<>();
            ((Map<?, ?>) value)
                    .forEach((key, one) -> members.add(quoted((String) key) + ":" + json(one)));
            return "{" + String.join(",", members) + "}";
        }
        if (value instanceof Duration) {
            return "" + ((Duration) value).toMillis();
        }
        if (value instanceof LocalDateTime) {
            String pattern = "yyyy-MM-dd'T'HH:mm:ss";
            return quoted(((LocalDateTime) value).format(DateTimeFormatter.ofPattern(pattern)));
        }
        if (value instanceof Instant) {
            return quoted(value.toString());
        }
        if (value instanceof Result) {
            return "" + ((Result) value).getNumber();
        }
        if (value instanceof Enum) {
            return quoted(((Enum<?>) value).name().toLowerCase(Locale.ROOT));
        }
        if (value instanceof StatusQuery) {
            return ((StatusQuery) value).toJson();
        }
        if (value instanceof JsonValue) {
            return ((JsonValue) value).getRaw();
        }
        boolean own = value != null && value.getClass().getName().startsWith("org.payorder.");
        return own ? json(fields(value)) : String.valueOf(value);
    }

    static Map<String, Object> fields(Object value) {
        Map<String, Object> report = new LinkedHashMap<>();
        for (Method getter : value.getClass().getMethods()) {
            boolean own = getter.getDeclaringClass().getName().startsWith("org.payorder.");
            if (own
                    && getter.getParameterCount() == 0
                    && getter.getName().matches("(get(?!Raw)|is)[A-Z].*")) {
                try {
                    report.put(key(getter), getter.invoke(value));
                } catch (ReflectiveOperationException error) {
                    throw new IllegalStateException(error);
                }
            }
        }
        if (value instanceof Status) {
            report.put("raw", ((Status) value).getRaw());
        }
        if (value instanceof PayorderException) {
            report.put("message", ((PayorderException) value).getMessage());
            report.put("result", ((PayorderException) value).getResultNumber());
            report.put("class", value.getClass().getSimpleName());
            report.put("caught", caught((PayorderException) value));
        }
        return report;
    }

    private static String key(Method getter) {
        String name = getter.getName().replaceFirst("^(get|is)", "");
        String key = name.substring(0, 1).toLowerCase(Locale.ROOT) + name.substring(1);
        return KEYS.getOrDefault(
                getter.getName(), getter.getReturnType() == Duration.class ? key + "Ms" : key);
    }

    /** The clause with which a program catches the error. */
    private static String caught(PayorderException error) {
        try {
            throw error;
        } catch (NotSentException one) {
            return "not_sent";
        } catch (RejectedException one) {
            return "rejected";
        } catch (OutcomeUnknownException one) {
            return "unknown";
        } catch (UnusableTextException one) {
            return "unusable";
        }
    }

    private static String quoted(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        for (char one : text.toCharArray()) {
            if (one < ' ' || one == '"' || one == '\\') {
                quoted.append(String.format("\\u%04x", (int) one));
            } else {
                quoted.append(one);
            }
        }
        return quoted.append('"').toString();
    }
}
