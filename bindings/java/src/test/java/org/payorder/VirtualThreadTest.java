package org.payorder;

import static org.junit.jupiter.api.Assertions.*;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.payorder.Constants.Causes;

/** Needs Java 21 or later, and is compiled for Java 8 as everything. */
final class VirtualThreadTest {
    private final ExecutorService virtual;

    VirtualThreadTest() throws ReflectiveOperationException {
        virtual =
                (ExecutorService)
                        Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
    }

    @AfterEach
    void endThreads() {
        virtual.shutdownNow();
    }

    @Test
    void callsHoldNoCarrier() throws Exception {
        Sandbox.withFault("create:*:slow=1000", this::createManyOrders);
    }

    private void createManyOrders() throws Exception {
        try (PayorderClient client = Sandbox.client()) {
            long began = System.nanoTime();
            List<Future<Checkout>> calls = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                calls.add(virtual.submit(() -> client.createOrder(Sandbox.order())));
            }
            // A page that has nothing to do with payments.
            virtual.submit(() -> "page").get(5, TimeUnit.SECONDS);
            assertFalse(calls.get(0).isDone(), "the page was not behind the orders");
            for (Future<Checkout> call : calls) {
                assertTrue(call.get(20, TimeUnit.SECONDS).getUrl().startsWith("http"));
            }
            // 64 at a time, a second each.
            long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - began);
            assertTrue(seconds < 15, seconds + " s");
        }
    }

    @Test
    void anInterruptedThreadCancelsItsCall() throws Exception {
        try (PayorderClient client = PayorderClient.fromEnv(new ClientConfig(null).maxCalls(1))) {
            Order sent = Sandbox.order("sandbox:stall");
            Future<PayorderException> inFlight = failing(() -> client.createOrder(sent));
            Sandbox.waitUntilKnown(client, sent);
            Future<PayorderException> queued = failing(() -> client.createOrder(Sandbox.order()));
            OrderOptions soon = new OrderOptions().timeout(Duration.ofMillis(100));
            Future<PayorderException> late = failing(() -> client.createOrder(Sandbox.order(), soon));
            assertEquals(Causes.QUEUE_TIMED_OUT, late.get().getErrorCause());
            virtual.shutdownNow();
            PayorderException error = queued.get();
            assertEquals(CancelledException.class, error.getClass());
            assertEquals(InterruptedException.class, error.getCause().getClass());
            error = inFlight.get();
            assertEquals(CancelledInFlightException.class, error.getClass());
            assertEquals(InterruptedException.class, error.getCause().getClass());
            assertEquals(sent.getOrderId(), client.getStatus(error.getStatusQuery()).getOrderId());
        }
    }

    /** What a call throws in a thread that stays interrupted if it was. */
    private Future<PayorderException> failing(Callable<Checkout> call) {
        return virtual.submit(
                () -> {
                    PayorderException error =
                            assertThrows(PayorderException.class, () -> call.call());
                    assertTrue(Arrays.toString(error.getStackTrace()).contains("VirtualThreadTest"));
                    boolean cancelled = error.getCause() instanceof InterruptedException;
                    assertEquals(cancelled, Thread.currentThread().isInterrupted());
                    return error;
                });
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
                    virtual.submit(
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
    void manyStatusesHoldNoCarrier() throws Exception {
        Sandbox.withFault("status:*:slow=1000", this::askForManyStatuses);
    }

    private void askForManyStatuses() throws Exception {
        try (PayorderClient client = Sandbox.client()) {
            List<StatusQuery> queries = Collections.nCopies(2, StatusQuery.byOrder("none"));
            List<Future<Summary>> calls = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                calls.add(virtual.submit(() -> client.getStatuses(queries, result -> true, null)));
            }
            virtual.submit(() -> "page").get(5, TimeUnit.SECONDS);
            for (Future<Summary> call : calls) {
                assertEquals(2, call.get(20, TimeUnit.SECONDS).getRejected());
            }
            IllegalStateException own = new IllegalStateException("of the function");
            Future<Summary> thrown =
                    virtual.submit(
                            () ->
                                    client.getStatuses(
                                            queries,
                                            result -> {
                                                throw own;
                                            },
                                            null));
            assertSame(own, assertThrows(ExecutionException.class, thrown::get).getCause());
        }
    }

    @Test
    void aThreadThatIsInterruptedAlreadySendsNothing() throws Exception {
        try (PayorderClient client = Sandbox.client()) {
            Order order = Sandbox.order();
            Future<PayorderException> call =
                    failing(
                            () -> {
                                Thread.currentThread().interrupt();
                                return client.createOrder(order);
                            });
            assertEquals(CancelledException.class, call.get().getClass());
            assertThrowsExactly(
                    RejectedException.class, () -> client.getStatus(order.getOrderId()));
        }
    }
}
