import java.time.Duration;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import org.payorder.Checkout;
import org.payorder.FailedCheck;
import org.payorder.JournalEntry;
import org.payorder.JsonValue;
import org.payorder.LogEvent;
import org.payorder.NotSentException;
import org.payorder.OutcomeUnknownException;
import org.payorder.PayorderException;
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
    private Reports() {}

    /** The names of the classes, for the driver's first line. */
    static Map<String, Object> classes() {
        Map<String, Object> classes = new LinkedHashMap<>();
        classes.put("not_sent", "NotSentException");
        classes.put("rejected", "RejectedException");
        classes.put("unknown", "OutcomeUnknownException");
        classes.put("unusable", "UnusableTextException");
        classes.put("PAYORDER_INVALID_ARGUMENT", "InvalidArgumentException");
        classes.put("PAYORDER_INVALID_HANDLE", "InvalidHandleException");
        classes.put("PAYORDER_INVALID_CONFIG", "InvalidConfigException");
        classes.put("PAYORDER_INVALID_REQUEST", "InvalidRequestException");
        classes.put("PAYORDER_MISSING_CREDENTIALS", "MissingCredentialsException");
        classes.put("PAYORDER_CONNECT_FAILED", "ConnectFailedException");
        classes.put("PAYORDER_TLS_FAILED", "TlsException");
        classes.put("PAYORDER_CANCELLED", "CancelledException");
        classes.put("PAYORDER_JOURNAL_FAILED", "JournalException");
        classes.put("PAYORDER_INTERNAL", "InternalException");
        classes.put("PAYORDER_UNAUTHORIZED", "UnauthorizedException");
        classes.put("PAYORDER_RATE_LIMITED", "RateLimitedException");
        classes.put("PAYORDER_TIMEOUT", "ResponseTimeoutException");
        classes.put("PAYORDER_CONNECTION_LOST", "ConnectionLostException");
        classes.put("PAYORDER_BAD_RESPONSE", "BadResponseException");
        classes.put("PAYORDER_SERVICE_FAILED", "ServiceFailedException");
        classes.put("PAYORDER_CANCELLED_IN_FLIGHT", "CancelledInFlightException");
        classes.put("PAYORDER_INTERNAL_IN_FLIGHT", "InternalInFlightException");
        classes.put("PAYORDER_DUPLICATE", "DuplicateException");
        return classes;
    }

    static Map<String, Object> of(Checkout value) {
        if (value == null) {
            return null;
        }
        Map<String, Object> report = new LinkedHashMap<>();
        report.put("url", value.getUrl());
        report.put("responseCode", value.getResponseCode());
        report.put("responseMessage", value.getResponseMessage());
        return report;
    }

    static Map<String, Object> of(Status value) {
        if (value == null) {
            return null;
        }
        Map<String, Object> report = new LinkedHashMap<>();
        report.put("responseCode", value.getResponseCode());
        report.put("responseMessage", value.getResponseMessage());
        report.put("merchantRefId", value.getMerchantRefId());
        report.put("orderId", value.getOrderId());
        report.put("transactionId", value.getTransactionId());
        report.put("amount", value.getAmount());
        report.put("customerName", value.getCustomerName());
        report.put("customerMobile", value.getCustomerMobile());
        report.put("customerEmail", value.getCustomerEmail());
        report.put("transactionStatus", value.getTransactionStatus());
        report.put("refundStatus", value.getRefundStatus());
        report.put("refundType", value.getRefundType());
        report.put("merchantName", value.getMerchantName());
        report.put("settlementStatus", value.getSettlementStatus());
        report.put("settlementDate", value.getSettlementDate());
        report.put("payMode", value.getPayMode());
        report.put("transactionDate", value.getTransactionDateText());
        report.put("completed", value.isCompleted());
        report.put("date", date(value.getTransactionDate()));
        return report;
    }

    static Map<String, Object> of(PayorderException value) {
        if (value == null) {
            return null;
        }
        Map<String, Object> report = new LinkedHashMap<>();
        report.put("result", value.getResultNumber());
        report.put("name", value.getName());
        report.put("outcome", value.getOutcome().name().toLowerCase(Locale.ROOT));
        report.put("cause", value.getErrorCause());
        report.put("action", value.getAction());
        report.put("message", value.getMessage());
        report.put("operation", value.getOperation());
        report.put("attempts", value.getAttempts());
        report.put("elapsedMs", millis(value.getElapsed()));
        report.put("httpStatus", value.getHttpStatus());
        report.put("responseCode", value.getResponseCode());
        report.put("responseMessage", value.getResponseMessage());
        report.put("retryAfterMs", millis(value.getRetryAfter()));
        report.put("violations", violations(value));
        report.put("statusQuery", of(value.getStatusQuery()));
        report.put("previous", of(value.getPrevious()));
        report.put("status", of(value.getStatus()));
        report.put("class", value.getClass().getSimpleName());
        report.put("caught", caught(value));
        return report;
    }

    static Map<String, Object> of(Waited value) {
        if (value == null) {
            return null;
        }
        Map<String, Object> report = new LinkedHashMap<>();
        report.put("final", value.isFinal());
        report.put("timedOut", value.isTimedOut());
        report.put("polls", value.getPolls());
        report.put("status", of(value.getStatus()));
        report.put("error", of(value.getError()));
        return report;
    }

    static Map<String, Object> of(Verification value) {
        if (value == null) {
            return null;
        }
        Map<String, Object> report = new LinkedHashMap<>();
        report.put("paid", value.isPaid());
        report.put("reasons", list(value.getReasons(), Reports::of));
        report.put("unverifiable", value.getUnverifiable());
        return report;
    }

    static Map<String, Object> of(FailedCheck value) {
        if (value == null) {
            return null;
        }
        Map<String, Object> report = new LinkedHashMap<>();
        report.put("check", value.getCheck());
        report.put("expected", value.getExpected());
        report.put("actual", value.getActual());
        return report;
    }

    static Map<String, Object> of(ReturnUrl value) {
        if (value == null) {
            return null;
        }
        Map<String, Object> report = new LinkedHashMap<>();
        report.put("transactionId", value.getTransactionId());
        report.put("statusQuery", of(value.getStatusQuery()));
        return report;
    }

    static Map<String, Object> of(Summary value) {
        if (value == null) {
            return null;
        }
        Map<String, Object> report = new LinkedHashMap<>();
        report.put("asked", value.getAsked());
        report.put("ok", value.getOk());
        report.put("rejected", value.getRejected());
        report.put("unknown", value.getUnknown());
        report.put("notSent", value.getNotSent());
        report.put("transactionStatus", value.getTransactionStatus());
        report.put("stopped", value.isStopped());
        return report;
    }

    static Map<String, Object> of(JournalEntry value) {
        if (value == null) {
            return null;
        }
        Map<String, Object> report = new LinkedHashMap<>();
        report.put("entry", value.getEntry());
        report.put("orderId", value.getOrderId());
        report.put("merchantTxnId", value.getMerchantTxnId());
        report.put("amount", value.getAmount());
        report.put("currencyCode", value.getCurrencyCode());
        report.put("state", value.getState().name().toLowerCase());
        report.put("url", value.getUrl());
        report.put("result", number(value.getResult()));
        report.put("transactionId", value.getTransactionId());
        report.put("transactionStatus", value.getTransactionStatus());
        report.put("note", value.getNote());
        return report;
    }

    static Map<String, Object> of(Resolved value) {
        if (value == null) {
            return null;
        }
        Map<String, Object> report = new LinkedHashMap<>();
        report.put("summary", of(value.getSummary()));
        report.put("entries", list(value.getEntries(), Reports::of));
        return report;
    }

    static Object of(StatusQuery value) {
        return value == null ? null : JsonValue.parse(value.toJson());
    }

    static <T> List<Object> list(List<T> values, Function<T, Object> report) {
        List<Object> reports = new ArrayList<>();
        values.forEach(value -> reports.add(report.apply(value)));
        return reports;
    }

    private static List<Object> violations(PayorderException error) {
        List<Object> violations = new ArrayList<>();
        for (Violation one : error.getViolations()) {
            Map<String, Object> report = new LinkedHashMap<>();
            report.put("field", one.getField());
            report.put("rule", one.getRule());
            violations.add(report);
        }
        return violations;
    }

    private static String date(LocalDateTime date) {
        return date == null
                ? null
                : date.format(DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss"));
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

    static Map<String, Object> of(LogEvent value) {
        Map<String, Object> report = new LinkedHashMap<>();
        report.put("event", value.getEvent());
        report.put("operation", value.getOperation());
        report.put("orderId", value.getOrderId());
        report.put("transactionId", value.getTransactionId());
        report.put("attempt", value.getAttempt());
        report.put("elapsedMs", millis(value.getElapsed()));
        report.put("host", value.getHost());
        report.put("result", number(value.getResult()));
        report.put("name", value.getResult() == null ? null : "PAYORDER_" + value.getResult());
        report.put("cause", value.getCause());
        report.put("httpStatus", value.getHttpStatus());
        report.put("transactionStatus", value.getTransactionStatus());
        return report;
    }

    private static Long millis(Duration time) {
        return time == null ? null : time.toMillis();
    }

    private static Integer number(Result result) {
        return result == null ? null : result.getNumber();
    }
}
