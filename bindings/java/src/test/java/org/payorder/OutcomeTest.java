package org.payorder;

import java.io.IOException;
import java.math.BigDecimal;
import java.net.ServerSocket;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Arrays;
import org.payorder.Constants.Actions;
import org.payorder.Constants.Causes;
import org.payorder.Constants.Outcome;
import org.payorder.Constants.Results;

final class OutcomeTest {
    public void aSaleGoesFromTheOrderToTheVerifiedPayment() {
        try (PayorderClient client = Sandbox.client()) {
            Order order = Sandbox.order();
            Checkout checkout = client.createOrder(order);
            Check.equal("200", checkout.getResponseCode());
            ReturnUrl returned =
                    Payorder.parseReturnUrl(Sandbox.press("pay", checkout.getUrl()));
            Status status = client.getStatus(returned.getStatusQuery());
            Check.equal(returned.getTransactionId(), status.getTransactionId());
            Check.isTrue(status.isCompleted());
            LocalDateTime now = LocalDateTime.now(ZoneOffset.UTC);
            Check.isTrue(status.getTransactionDate().isAfter(now.minusHours(1)));
            String id = order.getOrderId();
            ExpectedPayment expected = new ExpectedPayment(id, new BigDecimal("100"));
            Check.isTrue(Payorder.verifyPayment(expected, status).isPaid());
            expected = new ExpectedPayment(id, "100.01").transactionId("another");
            Verification verification = Payorder.verifyPayment(expected, status);
            Check.isTrue(!verification.isPaid());
            Check.equal(2, verification.getReasons().size());
            Check.isTrue(verification.getRaw().contains("100.01"));
            Check.isTrue(!verification.getUnverifiable().isEmpty());
        }
    }

    public void nothingListensIsNotSent() throws IOException {
        ServerSocket socket = new ServerSocket(0);
        String url = "http://127.0.0.1:" + socket.getLocalPort();
        socket.close();
        try (PayorderClient client = new PayorderClient(Sandbox.config(url))) {
            ConnectFailedException error =
                    Check.fails(
                            ConnectFailedException.class,
                            () -> client.createOrder(Sandbox.order()));
            Check.isTrue(NotSentException.class.isInstance(error));
            Check.equal(Results.CONNECT_FAILED, error.getResult());
            Check.equal(Outcome.NOT_SENT, error.getOutcome());
            Check.equal(Causes.CONNECTION_REFUSED, error.getErrorCause());
            Check.equal(Actions.CHECK_NETWORK, error.getAction());
            Check.equal("PAYORDER_CONNECT_FAILED", error.getName());
            Check.equal(2, error.getAttempts());
            Check.equal(null, error.getStatusQuery());
        }
    }

    public void refusalsAreRejected() {
        try (PayorderClient client = Sandbox.client()) {
            RejectedException refused =
                    Check.fails(
                            RejectedException.class,
                            () -> client.createOrder(Sandbox.order("sandbox:reject")));
            Check.equal("400", refused.getResponseCode());
            Check.isTrue(!refused.getResponseMessage().isEmpty());
            RateLimitedException limited =
                    Check.fails(
                            RateLimitedException.class,
                            () -> client.createOrder(Sandbox.order("sandbox:rate-limit")));
            Check.equal(1000L, limited.getRetryAfterMs());
            Check.equal(429, limited.getHttpStatus());
            OrderOptions wrong = new OrderOptions().accessToken("wrong");
            Check.fails(
                    UnauthorizedException.class, () -> client.createOrder(Sandbox.order(), wrong));
        }
    }

    public void anUnknownOutcomeHasAQueryThatSettlesIt() {
        unknown(ConnectionLostException.class, "sandbox:drop-after-commit", 30000);
        unknown(BadResponseException.class, "sandbox:malformed-json", 30000);
        unknown(ServiceFailedException.class, "sandbox:html-502", 30000);
        unknown(ResponseTimeoutException.class, "sandbox:stall", 1000);
    }

    private static void unknown(
            Class<? extends OutcomeUnknownException> kind, String marker, int limit) {
        try (PayorderClient client = Sandbox.client()) {
            Order order = Sandbox.order(marker);
            OrderOptions options = new OrderOptions().timeoutMs(limit);
            OutcomeUnknownException error =
                    Check.fails(kind, () -> client.createOrder(order, options));
            Check.equal(Outcome.UNKNOWN, error.getOutcome());
            Check.equal(Actions.ASK_STATUS, error.getAction());
            Status status = client.getStatus(error.getStatusQuery());
            Check.equal(order.getOrderId(), status.getOrderId());
        }
    }

    public void everyViolationIsListed() {
        try (PayorderClient client = Sandbox.client()) {
            InvalidRequestException error =
                    Check.fails(
                            InvalidRequestException.class,
                            () -> client.createOrder(new Order().amount("1e2")));
            Check.equal(11, error.getViolations().size());
            Check.equal("amount", error.getViolations().get(0).getField());
            Check.equal("decimal", error.getViolations().get(0).getRule());
            Check.isTrue(error.getViolations().get(0).getMessage().contains("amount"));
            error =
                    Check.fails(
                            InvalidRequestException.class,
                            () -> client.createOrder("{\"amount\":100}", null));
            Check.equal("type", error.getViolations().get(0).getRule());
        }
    }

    public void argumentsAndSettingsAreChecked() {
        try (PayorderClient client = Sandbox.client()) {
            OrderOptions wrong = new OrderOptions().timeoutMs(0);
            Check.fails(
                    InvalidArgumentException.class,
                    () -> client.createOrder(Sandbox.order(), wrong));
            Check.fails(
                    InvalidArgumentException.class, () -> client.createOrder("not JSON", null));
            Check.fails(NullPointerException.class, () -> client.createOrder((Order) null));
            Check.fails(NullPointerException.class, () -> client.getStatus(null));
            Check.fails(InvalidArgumentException.class, () -> client.getJournal().list());
        }
        InvalidConfigException unknown =
                Check.fails(
                        InvalidConfigException.class,
                        () -> new PayorderClient("{\"baseUrl\":\"https://x.example\",\"t\":1}"));
        Check.equal(Causes.UNKNOWN_KEY, unknown.getErrorCause());
        try (PayorderClient client = new PayorderClient(new ClientConfig(Sandbox.URL))) {
            Check.fails(
                    MissingCredentialsException.class, () -> client.createOrder(Sandbox.order()));
        }
    }

    public void aWaitEndsWithTheLastStatus() {
        try (PayorderClient client = Sandbox.client()) {
            Order order = Sandbox.order();
            Checkout checkout = client.createOrder(order);
            WaitOptions options = new WaitOptions().waitMs(1500).intervalMs(1000);
            Waited waited = client.waitForPayment(Sandbox.query(order), options);
            Check.isTrue(waited.isTimedOut() && !waited.isFinal() && waited.getPolls() > 1);
            Check.equal("Pending", waited.getStatus().getTransactionStatus());
            Check.equal(null, waited.getError());
            Sandbox.press("fail", checkout.getUrl());
            options = new WaitOptions().finalStatuses(Arrays.asList("Failed", "Cancelled"));
            waited = Check.result(client.waitForPaymentAsync(Sandbox.query(order), options));
            Check.isTrue(waited.isFinal() && !waited.isTimedOut());
            Check.equal("Failed", waited.getStatus().getTransactionStatus());
        }
    }

    public void aWaitWithoutAnyStatusHasTheError() {
        try (PayorderClient client = Sandbox.client()) {
            WaitOptions options = new WaitOptions().waitMs(1500).intervalMs(60000);
            Waited waited = client.waitForPayment(StatusQuery.byOrder("none"), options);
            Check.isTrue(waited.isTimedOut() && waited.getStatus() == null);
            Check.equal(RejectedException.class, waited.getError().getClass());
            Check.equal("404", waited.getError().getResponseCode());
        }
    }

    public void bodiesAreBuiltWithoutTheNetwork() {
        Order order = Sandbox.order().amount(new BigDecimal("249.50"));
        JsonValue body = JsonValue.parse(Payorder.buildCreateOrder(order));
        Check.equal("249.50", body.get("amount").getText());
        body = JsonValue.parse(Payorder.buildCreateOrder(order.toJson(), "returnUrl", null));
        Check.equal(Sandbox.URL + "/shop/return", body.get("returnUrl").getText());
        body = JsonValue.parse(Payorder.buildGetStatus(StatusQuery.byTransaction("T-1")));
        Check.equal("T-1", body.get("transactionId").getText());
        UnusableTextException error =
                Check.fails(
                        UnusableTextException.class,
                        () -> Payorder.buildCreateOrder(new Order()));
        Check.equal(11, error.getViolations().size());
        Check.fails(
                UnusableTextException.class,
                () -> Payorder.parseReturnUrl("https://shop.example/return"));
        Check.fails(UnusableTextException.class, () -> Payorder.verifyPayment("{}", "{}"));
    }
}
