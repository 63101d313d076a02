package org.payorder;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Queue;
import java.util.function.Predicate;
import org.payorder.Constants.Outcome;

/** What the types add. The conformance suite has the outcomes. */
final class ResultTest {
    public void anOrderIdIsAQueryAndTimesAreDurations() {
        try (PayorderClient client = Sandbox.client()) {
            Order order = Sandbox.order();
            client.createOrder(order);
            Check.equal(order.getOrderId(), client.getStatus(order.getOrderId()).getOrderId());
            WaitOptions options = new WaitOptions().waitFor(Duration.ofNanos(1));
            Check.isTrue(client.waitForPayment(order.getOrderId(), options).isTimedOut());
            RateLimitedException limited =
                    Check.fails(
                            RateLimitedException.class,
                            () -> client.createOrder(Sandbox.order("sandbox:rate-limit")));
            Check.equal(Duration.ofSeconds(1), limited.getRetryAfter());
            Check.equal(Result.RATE_LIMITED, limited.getResult());
            Check.isTrue(limited.getMessage().contains("the service says: "), limited.getMessage());
        }
    }

    public void argumentsAreChecked() {
        try (PayorderClient client = Sandbox.client()) {
            OrderOptions wrong = new OrderOptions().timeout(Duration.ZERO);
            Check.fails(
                    InvalidArgumentException.class,
                    () -> client.createOrder(Sandbox.order(), wrong));
            Check.fails(
                    InvalidArgumentException.class, () -> client.createOrder("not JSON", null));
            Check.fails(NullPointerException.class, () -> client.createOrder((Order) null));
            Check.fails(NullPointerException.class, () -> client.getStatus((StatusQuery) null));
        }
    }

    public void nothingPrintsCredentialsOrTheCustomersData() {
        try (PayorderClient client = Sandbox.client()) {
            Order order = Sandbox.order();
            client.createOrder(order);
            Status status = client.getStatus(Sandbox.query(order));
            Check.isTrue(!status.getCustomerName().isEmpty());
            Waited waited =
                    client.waitForPayment(
                            Sandbox.query(order), new WaitOptions().waitFor(Duration.ofMillis(1)));
            for (Object one :
                    Arrays.asList(order, status, waited, client, Sandbox.config(Sandbox.URL))) {
                String text = one.toString();
                Check.isTrue(!text.contains(status.getCustomerName()), text);
                Check.isTrue(!text.contains("sandbox-"), text);
            }
            Check.isTrue(status.toString().contains(order.getOrderId()), status.toString());
        }
    }

    public void anExecutorRunsTheCalls() {
        Queue<Runnable> work = new ArrayDeque<>();
        ClientConfig config = Sandbox.config(Sandbox.URL).executor(work::add);
        try (PayorderClient client = new PayorderClient(config)) {
            PaymentFuture<Checkout> call = client.createOrderAsync(Sandbox.order(), null);
            PaymentFuture<Checkout> cancelled = client.createOrderAsync(Sandbox.order(), null);
            cancelled.cancel(true);
            work.remove().run();
            Check.isTrue(call.join().getUrl().startsWith("http"));
            work.remove().run();
            Check.fails(CancelledException.class, () -> Check.result(cancelled));
        }
    }

    public void resultsAreMadeWithoutAService() {
        Status status =
                Status.fromJson(
                        "{\"responseCode\":\"200\",\"data\":{\"orderId\":\"O-1\","
                                + "\"amount\":\"1.00\",\"transactionStatus\":\"Completed\"}}");
        Check.isTrue(status.isCompleted());
        Check.isTrue(Payorder.verifyPayment(new ExpectedPayment("O-1", "1"), status).isPaid());
        try (PaymentClient client = new Fake()) {
            Check.equal("https://x.example/1", client.createOrder(new Order()).getUrl());
            ResponseTimeoutException error =
                    Check.fails(ResponseTimeoutException.class, () -> client.getStatus("O-1"));
            Check.equal("no response (PAYORDER_TIMEOUT)", error.getMessage());
            Check.equal(Outcome.UNKNOWN, error.getOutcome());
        }
    }

    private static final class Fake implements PaymentClient {
        @Override
        public Checkout createOrder(Order order, OrderOptions options) {
            return Checkout.fromJson("{\"data\":{\"url\":\"https://x.example/1\"}}");
        }

        @Override
        public PaymentFuture<Checkout> createOrderAsync(Order order, OrderOptions options) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Status getStatus(StatusQuery query, CallOptions options) {
            throw PayorderException.of(Result.TIMEOUT, "no response");
        }

        @Override
        public PaymentFuture<Status> getStatusAsync(StatusQuery query, CallOptions options) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Waited waitForPayment(StatusQuery query, WaitOptions options) {
            throw new UnsupportedOperationException();
        }

        @Override
        public PaymentFuture<Waited> waitForPaymentAsync(StatusQuery query, WaitOptions options) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Summary getStatuses(
                Iterable<StatusQuery> queries,
                Predicate<StatusResult> each,
                BatchOptions options) {
            throw new UnsupportedOperationException();
        }

        @Override
        public PaymentFuture<Summary> getStatusesAsync(
                Iterable<StatusQuery> queries,
                Predicate<StatusResult> each,
                BatchOptions options) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Recovered recover(Iterable<ExpectedPayment> sales, RecoverOptions options) {
            throw new UnsupportedOperationException();
        }

        @Override
        public PaymentFuture<Recovered> recoverAsync(
                Iterable<ExpectedPayment> sales, RecoverOptions options) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void close() {}
    }
}
