package org.payorder;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

final class CancellationTest {
    public void aCallInFlightHasAnUnknownOutcome() {
        try (PayorderClient client = Sandbox.client();
                Cancellation cancellation = new Cancellation()) {
            Order order = Sandbox.order("sandbox:stall");
            OrderOptions options = new OrderOptions().cancellation(cancellation);
            PaymentFuture<Checkout> call = client.createOrderAsync(order, options);
            Sandbox.waitUntilKnown(client, order);
            cancellation.cancel();
            CancelledInFlightException error =
                    Check.fails(CancelledInFlightException.class, () -> Check.result(call));
            Check.equal(CancellationException.class, error.getCause().getClass());
            Status status = client.getStatus(error.getStatusQuery());
            Check.equal(order.getOrderId(), status.getOrderId());
        }
    }

    public void aFutureIsCancelledByItsCall() {
        try (PayorderClient client = Sandbox.client()) {
            Order order = Sandbox.order("sandbox:stall");
            PaymentFuture<Checkout> call = client.createOrderAsync(order, null);
            Sandbox.waitUntilKnown(client, order);
            Check.isTrue(!call.completeExceptionally(new IllegalStateException("a timeout")));
            Check.isTrue(!call.complete(null));
            Check.isTrue(!call.isDone());
            Check.isTrue(!call.cancel(true));
            CancelledInFlightException error =
                    Check.fails(CancelledInFlightException.class, () -> Check.result(call));
            Check.equal(CancellationException.class, error.getCause().getClass());
            Check.isTrue(call.isCompletedExceptionally() && !call.isCancelled());
            Check.isTrue(!call.cancel(true), "cancel after the end");
        }
    }

    public void aCancelledTokenSendsNothing() {
        try (PayorderClient client = Sandbox.client();
                Cancellation cancellation = new Cancellation()) {
            cancellation.cancel();
            Check.isTrue(cancellation.isCancelled());
            Order order = Sandbox.order();
            OrderOptions options = new OrderOptions().cancellation(cancellation);
            CancelledException error =
                    Check.fails(
                            CancelledException.class, () -> client.createOrder(order, options));
            Check.equal(0, error.getAttempts());
            Check.fails(
                    CancelledException.class,
                    () -> Check.result(client.createOrderAsync(order, options)));
            Check.fails(RejectedException.class, () -> client.getStatus(Sandbox.query(order)));
        }
    }

    public void aClosedCancellationIsRefused() {
        try (PayorderClient client = Sandbox.client()) {
            Cancellation cancellation = new Cancellation();
            cancellation.close();
            cancellation.close();
            OrderOptions options = new OrderOptions().cancellation(cancellation);
            Check.fails(
                    InvalidHandleException.class,
                    () -> client.createOrder(Sandbox.order(), options));
            Check.fails(
                    InvalidHandleException.class,
                    () -> Check.result(client.createOrderAsync(Sandbox.order(), options)));
            Check.fails(InvalidHandleException.class, cancellation::cancel);
        }
    }

    public void aWaitEndsBetweenTwoQueries() throws InterruptedException {
        try (PayorderClient client = Sandbox.client()) {
            Order order = Sandbox.order();
            client.createOrder(order);
            CountDownLatch asked = new CountDownLatch(1);
            client.setLog(
                    event -> {
                        if (event.getEvent().equals("attempt_finished")) {
                            asked.countDown();
                        }
                    });
            WaitOptions options = new WaitOptions().interval(Duration.ofMinutes(1));
            PaymentFuture<Waited> call =
                    client.waitForPaymentAsync(Sandbox.query(order), options);
            Check.isTrue(asked.await(30, TimeUnit.SECONDS), "the first query");
            long start = System.nanoTime();
            call.cancel(false);
            try {
                Check.result(call);
                throw new AssertionError("the wait was not cancelled");
            } catch (CancelledException | CancelledInFlightException error) {
                // The log event comes a moment before the pause.
                Check.equal("Pending", error.getStatus().getTransactionStatus());
                Check.isTrue(error.getStatusQuery() != null);
            }
            Check.isTrue(System.nanoTime() - start < 20_000_000_000L, "at once");
        }
    }

    public void aCancelledBatchReturnsWhatItHas() {
        try (PayorderClient client = Sandbox.client();
                Cancellation cancellation = new Cancellation()) {
            List<StatusQuery> queries = new ArrayList<>();
            for (int number = 0; number < 1000; number++) {
                queries.add(StatusQuery.byOrder("none-" + number));
            }
            BatchOptions options =
                    new BatchOptions()
                            .concurrency(1)
                            .ratePerSecond(20.0)
                            .cancellation(cancellation);
            Summary summary =
                    client.getStatuses(
                            queries,
                            result -> {
                                cancellation.cancel();
                                return true;
                            },
                            options);
            Check.isTrue(summary.isStopped());
            Check.isTrue(summary.getAsked() < 1000);
        }
    }

    public void anInterruptedThreadCancelsItsCall() {
        try (PayorderClient client = Sandbox.client()) {
            Thread thread = Thread.currentThread();
            Order order = Sandbox.order("sandbox:stall");
            Thread button =
                    new Thread(
                            () -> {
                                Sandbox.waitUntilKnown(client, order);
                                thread.interrupt();
                            });
            button.start();
            CancelledInFlightException error =
                    Check.fails(
                            CancelledInFlightException.class, () -> client.createOrder(order));
            Check.equal(InterruptedException.class, error.getCause().getClass());
            Check.isTrue(Thread.interrupted(), "the thread stays interrupted");
        }
    }

    public void aStoppedClientEndsItsCallsAndSendsNothingMore() {
        try (PayorderClient client = PayorderClient.fromEnv()) {
            client.setCredentials(new CallOptions().accessToken("wrong"));
            Check.fails(UnauthorizedException.class, () -> client.createOrder(Sandbox.order()));
            client.setCredentials(
                    new CallOptions().accessToken(System.getenv("PAYORDER_ACCESS_TOKEN")));
            Order order = Sandbox.order("sandbox:stall");
            PaymentFuture<Checkout> call = client.createOrderAsync(order, null);
            Sandbox.waitUntilKnown(client, order);
            client.stop();
            CancelledInFlightException error =
                    Check.fails(CancelledInFlightException.class, () -> Check.result(call));
            Check.equal(null, error.getCause());
            CancelledException refused =
                    Check.fails(
                            CancelledException.class, () -> client.createOrder(Sandbox.order()));
            Check.equal(Constants.Causes.CLIENT_STOPPED, refused.getErrorCause());
        }
    }
}
