package org.payorder;

import static org.junit.jupiter.api.Assertions.*;

import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Test;

final class CancellationTest {
    @Test
    void aFutureIsCancelledByItsCall() {
        try (PayorderClient client = Sandbox.client()) {
            Order order = Sandbox.order("sandbox:stall");
            PaymentFuture<Checkout> call = client.createOrderAsync(order, null);
            Sandbox.waitUntilKnown(client, order);
            assertFalse(call.completeExceptionally(new IllegalStateException("a timeout")));
            assertFalse(call.complete(null));
            assertFalse(call.isDone());
            assertFalse(call.cancel(true));
            CancelledInFlightException error =
                    assertThrowsExactly(
                            CancelledInFlightException.class, () -> Sandbox.result(call));
            assertEquals(CancellationException.class, error.getCause().getClass());
            assertTrue(call.isCompletedExceptionally() && !call.isCancelled());
            assertFalse(call.cancel(true), "cancel after the end");
        }
    }

    @Test
    void anInterruptedThreadCancelsItsCall() {
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
                    assertThrowsExactly(
                            CancelledInFlightException.class, () -> client.createOrder(order));
            assertEquals(InterruptedException.class, error.getCause().getClass());
            assertTrue(Thread.interrupted(), "the thread stays interrupted");
        }
    }

    @Test
    void aThreadThatIsInterruptedAlreadySendsNothing() {
        try (PayorderClient client = Sandbox.client()) {
            Order order = Sandbox.order();
            Thread.currentThread().interrupt();
            CancelledException error =
                    assertThrowsExactly(CancelledException.class, () -> client.createOrder(order));
            assertEquals(InterruptedException.class, error.getCause().getClass());
            assertThrowsExactly(
                    CancelledException.class, () -> client.getStatus(order.getOrderId()));
            assertTrue(Thread.interrupted(), "the thread stays interrupted");
            assertThrowsExactly(
                    RejectedException.class, () -> client.getStatus(order.getOrderId()));
        } finally {
            Thread.interrupted();
        }
    }
}
