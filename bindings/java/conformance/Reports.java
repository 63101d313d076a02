import java.lang.reflect.Method;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.payorder.Checkout;
import org.payorder.FailedCheck;
import org.payorder.JournalEntry;
import org.payorder.JsonValue;
import org.payorder.LogEvent;
import org.payorder.NotSentException;
import org.payorder.OutcomeUnknownException;
import org.payorder.PayorderException;
import org.payorder.Recovered;
import org.payorder.RejectedException;
import org.payorder.Resolved;
import org.payorder.Result;
import org.payorder.ReturnUrl;
import org.payorder.Status;
import org.payorder.StatusQuery;
import org.payorder.Summary;
import org.payorder.UnusableTextException;
import org.payorder.Verification;
import org.payorder.Violation;
import org.payorder.Waited;

/** The package's objects as JSON, under the names of the service. */
final class Reports {
    /** The names in a report; with =, that of the method, if it is another one. */
    private static final Map<Class<?>, String> NAMES = new LinkedHashMap<>();

    static {
        NAMES.put(Checkout.class, "url responseCode responseMessage");
        NAMES.put(
                Status.class,
                "responseCode responseMessage merchantRefId orderId transactionId amount"
                        + " customerName customerMobile customerEmail transactionStatus"
                        + " refundStatus refundType merchantName settlementStatus settlementDate"
                        + " payMode transactionDate=transactionDateText completed"
                        + " date=transactionDate");
        NAMES.put(
                PayorderException.class,
                "result=resultNumber name outcome cause=errorCause action message operation"
                        + " attempts elapsedMs=elapsed httpStatus responseCode responseMessage"
                        + " retryAfterMs=retryAfter violations statusQuery previous status");
        NAMES.put(Waited.class, "final timedOut polls status error");
        NAMES.put(Verification.class, "paid reasons unverifiable");
        NAMES.put(FailedCheck.class, "check expected actual");
        NAMES.put(Violation.class, "field rule");
        NAMES.put(ReturnUrl.class, "transactionId statusQuery");
        NAMES.put(
                Summary.class, "asked ok rejected unknown notSent transactionStatus stopped");
        NAMES.put(
                JournalEntry.class,
                "entry orderId merchantTxnId amount currencyCode state url result transactionId"
                        + " transactionStatus note");
        NAMES.put(Resolved.class, "summary entries");
        NAMES.put(Recovered.class, "summary otherServices sales");
        NAMES.put(
                Recovered.Sale.class,
                "orderId verdict amount url transactionStatus reasons entry");
        NAMES.put(
                LogEvent.class,
                "event operation orderId transactionId attempt elapsedMs=elapsed host result cause"
                        + " httpStatus transactionStatus");
    }

    private Reports() {}

    /** The names of the classes, for the driver's first line. */
    static Map<String, Object> classes() {
        Map<String, Object> classes = new LinkedHashMap<>();
        classes.put("not_sent", "NotSentException");
        classes.put("rejected", "RejectedException");
        classes.put("unknown", "OutcomeUnknownException");
        classes.put("unusable", "UnusableTextException");
        classes.put("suffix", "Exception");
        classes.put("PAYORDER_TLS_FAILED", "TlsException");
        classes.put("PAYORDER_JOURNAL_FAILED", "JournalException");
        classes.put("PAYORDER_TIMEOUT", "ResponseTimeoutException");
        return classes;
    }

    /** What the driver writes of a value. */
    static Object of(Object value) {
        if (value instanceof List) {
            List<Object> reports = new ArrayList<>();
            ((List<?>) value).forEach(one -> reports.add(of(one)));
            return reports;
        }
        if (value instanceof Duration) {
            return ((Duration) value).toMillis();
        }
        if (value instanceof LocalDateTime) {
            return ((LocalDateTime) value)
                    .format(DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss"));
        }
        if (value instanceof Result) {
            return ((Result) value).getNumber();
        }
        if (value instanceof Enum) {
            return ((Enum<?>) value).name().toLowerCase(Locale.ROOT);
        }
        if (value instanceof StatusQuery) {
            return JsonValue.parse(((StatusQuery) value).toJson());
        }
        return namesOf(value) == null ? value : fields(value);
    }

    private static String namesOf(Object value) {
        for (Class<?> kind : NAMES.keySet()) {
            if (kind.isInstance(value)) {
                return NAMES.get(kind);
            }
        }
        return null;
    }

    static Map<String, Object> fields(Object value) {
        Map<String, Object> report = new LinkedHashMap<>();
        for (String name : namesOf(value).split(" ")) {
            String[] both = name.split("=");
            report.put(both[0], of(get(value, both[both.length - 1])));
        }
        if (value instanceof PayorderException) {
            report.put("class", value.getClass().getSimpleName());
            report.put("caught", caught((PayorderException) value));
        }
        if (value instanceof LogEvent) {
            Result result = ((LogEvent) value).getResult();
            report.put("name", result == null ? null : "PAYORDER_" + result);
        }
        return report;
    }

    private static Object get(Object value, String name) {
        String end = name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1);
        for (Method method : value.getClass().getMethods()) {
            if (method.getName().equals("get" + end) || method.getName().equals("is" + end)) {
                try {
                    return method.invoke(value);
                } catch (ReflectiveOperationException error) {
                    throw new IllegalStateException(error);
                }
            }
        }
        throw new IllegalStateException(value.getClass() + " has no " + name);
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

    /** Writes JSON. */
    static String json(Object value) {
        if (value instanceof String) {
            return quoted((String) value);
        }
        List<String> parts = new ArrayList<>();
        if (value instanceof Map) {
            ((Map<?, ?>) value)
                    .forEach((key, one) -> parts.add(quoted((String) key) + ":" + json(one)));
            return "{" + String.join(",", parts) + "}";
        }
        if (value instanceof List) {
            ((List<?>) value).forEach(one -> parts.add(json(one)));
            return "[" + String.join(",", parts) + "]";
        }
        return String.valueOf(value);
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
