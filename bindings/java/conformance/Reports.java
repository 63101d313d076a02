import java.lang.reflect.Method;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
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
        if (value instanceof String text) {
            return quoted(text);
        }
        if (value instanceof List<?> items) {
            return items.stream().map(Reports::json).collect(Collectors.joining(",", "[", "]"));
        }
        if (value instanceof Map<?, ?> members) {
            return members.entrySet().stream()
                    .map(one -> quoted((String) one.getKey()) + ":" + json(one.getValue()))
                    .collect(Collectors.joining(",", "{", "}"));
        }
        if (value instanceof Duration time) {
            return "" + time.toMillis();
        }
        if (value instanceof LocalDateTime date) {
            return quoted(date.format(DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss")));
        }
        if (value instanceof Instant) {
            return quoted(value.toString());
        }
        if (value instanceof Result result) {
            return "" + result.getNumber();
        }
        if (value instanceof Enum<?> name) {
            return quoted(name.name().toLowerCase(Locale.ROOT));
        }
        if (value instanceof StatusQuery || value instanceof JsonValue) {
            return value.toString();
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
        if (value instanceof Status status) {
            report.put("raw", status.getRaw());
        }
        if (value instanceof PayorderException error) {
            report.put("message", error.getMessage());
            report.put("result", error.getResultNumber());
            report.put("class", error.getClass().getSimpleName());
            report.put("caught", caught(error));
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
        return '"'
                + Pattern.compile("[\\x00-\\x1f\"\\\\]")
                        .matcher(text)
                        .replaceAll(one -> "\\\\u%04x".formatted((int) one.group().charAt(0)))
                + '"';
    }
}
