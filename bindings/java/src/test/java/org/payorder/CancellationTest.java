package org.payorder;

import java.util.concurrent.CancellationException;

final class CancellationTest {
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
