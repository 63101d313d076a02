import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.payorder.BatchOptions;
import org.payorder.CallOptions;
import org.payorder.Cancellation;
import org.payorder.ClientConfig;
import org.payorder.ExpectedPayment;
import org.payorder.JournalEntry;
import org.payorder.JsonValue;
import org.payorder.ListOptions;
import org.payorder.Options;
import org.payorder.Order;
import org.payorder.OrderOptions;
import org.payorder.PayMode;
import org.payorder.RecoverOptions;
import org.payorder.StatusQuery;
import org.payorder.WaitOptions;

/** What a step says, as the package's own objects. */
final class Steps {
    private static final List<String> ORDER_KEYS =
            Arrays.asList(
                    "amount",
                    "merchantTxnId",
                    "orderId",
                    "payMode",
                    "merchantId",
                    "productInfo",
                    "customerName",
                    "customerMobile",
                    "customerEmail",
                    "redirectionURL",
                    "currencyCode");

    private static final JsonValue NOTHING = JsonValue.parse("{}");

    private Steps() {}

    static ClientConfig config(JsonValue json) {
        JsonValue tls = object(json, "tls");
        return new ClientConfig(text(json, "baseUrl"))
                .accessToken(text(json, "accessToken"))
                .clientKey(text(json, "clientKey"))
                .clientId(text(json, "clientId"))
                .secretKey(text(json, "secretKey"))
                .timeout(time(json, "timeoutMs"))
                .connectTimeout(time(json, "connectTimeoutMs"))
                .createRetries(number(json, "createRetries"))
                .statusRetries(number(json, "statusRetries"))
                .maxIdle(time(json, "maxIdleMs"))
                .maxResponseBytes(number(json, "maxResponseBytes"))
                .proxy(text(json, "proxy"))
                .tlsRoots(text(tls, "roots"))
                .tlsCaFile(text(tls, "caFile"))
                .tlsCertFile(text(tls, "certFile"))
                .tlsKeyFile(text(tls, "keyFile"))
                .allowInsecureHttp(truth(json, "allowInsecureHttp"))
                .checkoutHosts(texts(json, "checkoutHosts"))
                .returnUrlField(text(json, "returnUrlField"))
                .userAgent(text(json, "userAgent"))
                .journal(text(json, "journal"));
    }

    /** The order, or null if it has other fields or types than the class. */
    static Order order(JsonValue json) {
        for (JsonValue value : json.getItems()) {
            if (value.getKind() != JsonValue.Kind.STRING) {
                return null;
            }
        }
        if (!ORDER_KEYS.containsAll(json.getKeys())) {
            return null;
        }
        String mode = text(json, "payMode");
        if (mode != null && !Arrays.asList("all", "cc", "dc", "upi", "nb").contains(mode)) {
            return null;
        }
        return new Order()
                .amount(text(json, "amount"))
                .merchantTxnId(text(json, "merchantTxnId"))
                .orderId(text(json, "orderId"))
                .payMode(mode == null ? null : PayMode.valueOf(mode.toUpperCase()))
                .merchantId(text(json, "merchantId"))
                .productInfo(text(json, "productInfo"))
                .customerName(text(json, "customerName"))
                .customerMobile(text(json, "customerMobile"))
                .customerEmail(text(json, "customerEmail"))
                .redirectionUrl(text(json, "redirectionURL"))
                .currencyCode(text(json, "currencyCode"));
    }

    static StatusQuery query(JsonValue json) {
        boolean single = json.getKeys().size() == 1;
        if (single && json.get("orderId") != null) {
            return StatusQuery.byOrder(text(json, "orderId"));
        }
        return single && json.get("transactionId") != null
                ? StatusQuery.byTransaction(text(json, "transactionId"))
                : StatusQuery.fromJson(json.getRaw());
    }

    static ExpectedPayment expected(JsonValue json) {
        return new ExpectedPayment(text(json, "orderId"), text(json, "amount"))
                .transactionId(text(json, "transactionId"));
    }

    static CallOptions callOptions(JsonValue step, Cancellation cancellation) {
        return common(new CallOptions(), step, cancellation);
    }

    static CallOptions credentials(JsonValue step) {
        return new CallOptions().accessToken(text(step.get("credentials"), "accessToken"));
    }

    static RecoverOptions recoverOptions(JsonValue step, Cancellation cancellation) {
        return common(new RecoverOptions(), step, cancellation);
    }

    static OrderOptions orderOptions(JsonValue step, Cancellation cancellation) {
        JsonValue json = object(step, "options");
        return common(new OrderOptions(), step, cancellation)
                .extraFields(extraFields(json))
                .resend(truth(json, "resend"));
    }

    static WaitOptions waitOptions(JsonValue step, Cancellation cancellation) {
        JsonValue json = object(step, "options");
        return common(new WaitOptions(), step, cancellation)
                .waitFor(time(json, "waitMs"))
                .interval(time(json, "intervalMs"))
                .maxInterval(time(json, "maxIntervalMs"))
                .finalStatuses(texts(json, "final"));
    }

    static BatchOptions batchOptions(JsonValue step, Cancellation cancellation) {
        JsonValue json = object(step, "options");
        String rate = text(json, "ratePerSecond");
        return common(new BatchOptions(), step, cancellation)
                .concurrency(number(json, "concurrency"))
                .ratePerSecond(rate == null ? null : Double.valueOf(rate));
    }

    static ListOptions listOptions(JsonValue step, Cancellation cancellation) {
        JsonValue json = object(step, "options");
        String after = text(json, "after");
        ListOptions options = new ListOptions();
        String state = text(json, "state");
        if ("unresolved".equals(state)) {
            options.unresolved();
        } else if ("open".equals(state)) {
            options.open();
        } else if (state != null) {
            options.state(JournalEntry.State.valueOf(state.toUpperCase()));
        }
        return options.after(after == null ? null : Long.valueOf(after))
                .limit(number(json, "limit"))
                .orderId(text(json, "orderId"))
                .events(truth(json, "events"))
                .cancellation(cancellation);
    }

    private static <T extends Options<T>> T common(
            T options, JsonValue step, Cancellation cancellation) {
        JsonValue json = object(step, "options");
        return options.timeout(time(json, "timeoutMs"))
                .accessToken(text(json, "accessToken"))
                .clientKey(text(json, "clientKey"))
                .clientId(text(json, "clientId"))
                .secretKey(text(json, "secretKey"))
                .cancellation(cancellation);
    }

    static Map<String, String> extraFields(JsonValue options) {
        JsonValue json = options.get("extraFields");
        if (json == null) {
            return null;
        }
        Map<String, String> fields = new LinkedHashMap<>();
        json.getKeys().forEach(key -> fields.put(key, text(json, key)));
        return fields;
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

    private static Boolean truth(JsonValue json, String key) {
        JsonValue value = json.get(key);
        return value == null ? null : Boolean.valueOf(value.getRaw());
    }

    private static List<String> texts(JsonValue json, String key) {
        JsonValue value = json.get(key);
        if (value == null) {
            return null;
        }
        List<String> texts = new ArrayList<>();
        value.getItems().forEach(one -> texts.add(one.getText()));
        return texts;
    }

    private static Duration time(JsonValue json, String key) {
        Integer number = number(json, key);
        return number == null ? null : Duration.ofMillis(number);
    }
}
