import static org.junit.jupiter.api.Assertions.*;

import java.util.Arrays;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.payorder.*;

/** Interrupts virtual threads with Java 21 and later, and others before. */
final class CancellationTest {
    private final ExecutorService threads = threads();

    static ExecutorService threads() {
        try {
            return (ExecutorService)
                    Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
        } catch (ReflectiveOperationException older) {
            return Executors.newCachedThreadPool();
        }
    }

    @AfterEach
    void endThreads() {
        threads.shutdownNow();
    }

    @Test
    void aFutureIsCancelledByItsCall() {
        try (PayorderClient client = Sandbox.client()) {
            Order order = Sandbox.order("sandbox:stall");
            PaymentFuture<Checkout> call = client.createOrderAsync(order, null);
            Sandbox.waitUntilKnown(client, order);
            assertFalse(call.completeExceptionally(new IllegalStateException("a timeout")));
            assertFalse(call.complete(null));
            call.completeAsync(() -> null);
            call.completeAsync(() -> null, Runnable::run);
            call.obtrudeValue(null);
            call.obtrudeException(new IllegalStateException("a timeout"));
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
    void anInterruptedThreadCancelsItsCall() throws Exception {
        try (PayorderClient client = PayorderClient.fromEnv(new ClientConfig(null).maxCalls(1))) {
            Order order = Sandbox.order("sandbox:stall");
            Future<PayorderException> call = interrupted(() -> client.createOrder(order));
            Sandbox.waitUntilKnown(client, order);
            threads.shutdownNow();
            PayorderException error = call.get();
            assertEquals(CancelledInFlightException.class, error.getClass());
            assertEquals(order.getOrderId(), client.getStatus(error.getStatusQuery()).getOrderId());
        }
    }

    @Test
    void anInterruptLosesNoResult() throws Exception {
        try (PayorderClient client = Sandbox.client()) {
            CompletableFuture<Thread> caller = new CompletableFuture<>();
            client.setLog(
                    event -> {
                        if (event.getEvent().equals("call_finished")) {
                            caller.join().interrupt();
                        }
                    });
            Future<Checkout> call =
                    threads.submit(
                            () -> {
                                caller.complete(Thread.currentThread());
                                Checkout checkout = client.createOrder(Sandbox.order());
                                assertTrue(Thread.currentThread().isInterrupted());
                                return checkout;
                            });
            assertTrue(call.get().getUrl().startsWith("http"));
        }
    }

    @Test
    void anInterruptDuringALogHandlerSendsNothing() {
        try (PayorderClient client = Sandbox.client()) {
            // From then on, the client has a connection.
            client.createOrder(Sandbox.order());
            Order order = Sandbox.order();
            client.setLog(
                    event -> {
                        if ((event.getOperation() + " " + event.getEvent())
                                .equals("create_order attempt_started")) {
                            // A handler may make calls of its own.
                            assertThrows(RejectedException.class, () -> client.getStatus("none"));
                            Thread.currentThread().interrupt();
                        }
                    });
            Throwable error = null;
            try {
                client.createOrder(order);
            } catch (CancelledException expected) {
                error = expected.getCause();
            }
            boolean staysInterrupted = Thread.interrupted();
            client.setLog(null);
            assertThrowsExactly(
                    RejectedException.class, () -> client.getStatus(order.getOrderId()));
            assertTrue(staysInterrupted && error instanceof InterruptedException, "" + error);
        }
    }

    @Test
    void aThreadThatIsInterruptedAlreadySendsNothing() throws Exception {
        try (PayorderClient client = Sandbox.client()) {
            Order order = Sandbox.order();
            Future<PayorderException> call =
                    interrupted(
                            () -> {
                                Thread.currentThread().interrupt();
                                return client.createOrder(order);
                            });
            assertEquals(CancelledException.class, call.get().getClass());
            assertThrowsExactly(
                    RejectedException.class, () -> client.getStatus(order.getOrderId()));
        }
    }

    /** What a call throws in a thread that is interrupted, and stays so. */
    private Future<PayorderException> interrupted(Callable<Checkout> call) {
        return threads.submit(
                () -> {
                    PayorderException error = assertThrows(PayorderException.class, call::call);
                    assertTrue(Arrays.toString(error.getStackTrace()).contains("CancellationTest"));
                    assertEquals(InterruptedException.class, error.getCause().getClass());
                    assertTrue(Thread.currentThread().isInterrupted());
                    return error;
                });
    }
}
