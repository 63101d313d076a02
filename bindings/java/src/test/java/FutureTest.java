import static org.junit.jupiter.api.Assertions.*;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.reflect.InvocationTargetException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.payorder.*;

/** The Async methods. The conformance suite has what the library's queue does. */
final class FutureTest {
    @Test
    void anExecutorCompletesTheFutures() throws InterruptedException {
        BlockingQueue<Runnable> work = new LinkedBlockingQueue<>();
        ClientConfig config = new ClientConfig(null).executor(work::add);
        try (PayorderClient client = PayorderClient.fromEnv(config)) {
            PaymentFuture<Checkout> call = client.createOrderAsync(Sandbox.order());
            Runnable completion = work.take();
            assertFalse(call.isDone());
            completion.run();
            assertTrue(call.isDone() && call.join().getUrl().startsWith("http"));
        }
    }

    /** The package's own threads, an executor without threads, and one that refuses. */
    private static Executor[] executors() {
        ExecutorService refusing = Executors.newCachedThreadPool();
        refusing.shutdown();
        return new Executor[] {null, Runnable::run, refusing};
    }

    @Test
    void manyStatusesDoNotBlockTheirCaller() throws Exception {
        Thread caller = Thread.currentThread();
        for (Executor executor : executors()) {
            ClientConfig config = new ClientConfig(null).executor(executor);
            try (PayorderClient client = PayorderClient.fromEnv(config)) {
                List<StatusQuery> queries = Collections.singletonList(StatusQuery.byOrder("ORD-1"));
                PaymentFuture<Summary> call =
                        client.getStatusesAsync(
                                queries, one -> Thread.currentThread() != caller, null);
                assertFalse(call.get(20, TimeUnit.SECONDS).isStopped());
            }
        }
    }

    @Test
    void aServiceSeesTheIdleConnectionsOfAClientClosed() throws Exception {
        try (ServerSocket service = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                PayorderClient client =
                        PayorderClient.fromEnv(
                                new ClientConfig("http://127.0.0.1:" + service.getLocalPort()))) {
            CompletableFuture<Void> answered = client.getStatusAsync("ORD-1").thenAccept(a -> {});
            try (Socket connection = service.accept()) {
                connection.setSoTimeout(30000);
                assertTrue(connection.getInputStream().read(new byte[4096]) > 0);
                String body = "{\"responseCode\":\"200\",\"data\":{\"orderId\":\"ORD-1\"}}";
                String answer = "HTTP/1.1 200 OK\r\nContent-Length: " + body.length();
                connection.getOutputStream().write((answer + "\r\n\r\n" + body).getBytes());
                answered.join();
                assertEquals(-1, connection.getInputStream().read());
            }
        }
    }

    @Test
    void whatFollowsAFutureMayBlock() throws Exception {
        for (Executor executor : executors()) {
            CompletableFuture<Void> end = new CompletableFuture<>();
            try (org.payorder.testing.Sandbox slow = new org.payorder.testing.Sandbox();
                    PayorderClient client = new PayorderClient(slow.config().executor(executor))) {
                // So that it runs on the thread that completes the future.
                slow.fault("create:*:slow=500");
                List<CompletableFuture<?>> blocked = new ArrayList<>();
                for (int i = 0; i < 50; i++) {
                    PaymentFuture<Checkout> call = client.createOrderAsync(Sandbox.order());
                    blocked.add(call.thenAccept(checkout -> end.join()));
                }
                PaymentFuture<Checkout> call = client.createOrderAsync(Sandbox.order());
                assertTrue(call.get(20, TimeUnit.SECONDS).getUrl().startsWith("http"));
                assertTrue(blocked.stream().noneMatch(CompletableFuture::isDone));
            } finally {
                end.complete(null);
            }
        }
    }

    @Test
    void aCallThatBlocksHasItsEventsAfterCloseToo() {
        List<String> seen = Collections.synchronizedList(new ArrayList<>());
        long live = Payorder.getLiveClients();
        PayorderClient client = Sandbox.client();
        client.setLog(
                event -> {
                    seen.add(event.getEvent());
                    client.close();
                });
        client.createOrder(Sandbox.order());
        assertEquals("call_finished", seen.get(seen.size() - 1), "" + seen);
        assertThrows(InvalidHandleException.class, () -> client.createOrder(Sandbox.order()));
        assertTrue(Payorder.getLiveClients() <= live);
    }

    @Test
    void threadsEndSoonAfterTheLastCall() {
        try (PayorderClient client = Sandbox.client()) {
            Sandbox.result(client.createOrderAsync(Sandbox.order()));
            assertTrue(hasThread("payorder answers"));
            for (String name : new String[] {"answers", "results", "orders"}) {
                Sandbox.until(() -> !hasThread("payorder " + name));
            }
            // The next call has new ones.
            assertTrue(Sandbox.result(client.checkAsync()).isOk());
        }
        Sandbox.until(() -> !hasThread("payorder answers"));
        Sandbox.until(() -> {
            System.gc(); // Other tests have left clients that nobody has closed.
            return !hasThread("payorder garbage");
        });
    }

    @Test
    void anOrderIsSentAfterTheThreadThatWaitsForIt() throws Exception {
        try (PayorderClient client = Sandbox.client()) {
            Sandbox.until(() -> Payorder.getLiveCalls() == 0 && !hasThread("payorder orders"));
            Order order = Sandbox.order("sandbox:stall");
            CompletableFuture<PaymentFuture<Checkout>> call = new CompletableFuture<>();
            Thread starter = new Thread(() -> call.complete(client.createOrderAsync(order)));
            synchronized (Class.forName("org.payorder.RunningOrders")) {
                starter.start();
                Sandbox.until(() -> starter.getState() == Thread.State.BLOCKED);
                assertEquals(0, Payorder.getLiveCalls());
            }
            Sandbox.waitUntilKnown(client, order);
            call.get(30, TimeUnit.SECONDS).cancel(true);
            // Nothing was sent, so nothing keeps the program running.
            assertThrows(NullPointerException.class, () -> client.createOrderAsync(null));
            Sandbox.until(() -> !hasThread("payorder orders"));
        }
    }

    @Test
    void anErrorWhereAnswersAreTakenLosesNone() throws Exception {
        Sandbox.until(() -> !hasThread("payorder answers"));
        try (PayorderClient client = Sandbox.client()) {
            Order order = Sandbox.order("sandbox:stall");
            PaymentFuture<Checkout> call = client.createOrderAsync(order);
            Sandbox.waitUntilKnown(client, order);
            for (Thread thread : Thread.getAllStackTraces().keySet()) {
                if (thread.getName().equals("payorder answers")) {
                    // It throws when the library has given it the answer.
                    Thread.class.getMethod("stop").invoke(thread);
                }
            }
            call.cancel(true);
            Throwable error =
                    assertThrows(ExecutionException.class, () -> call.get(20, TimeUnit.SECONDS));
            assertEquals(CancelledInFlightException.class, error.getCause().getClass());
            assertNotNull(client.createOrderAsync(Sandbox.order()).get(20, TimeUnit.SECONDS));
        } catch (InvocationTargetException newer) {
            Assumptions.abort("Java 20 and later stop no threads");
        }
    }

    @Test
    void anOrderKeepsTheProgramRunning() throws Exception {
        String java = System.getProperty("java.home") + "/bin/java";
        Process program = new ProcessBuilder(java, Program.class.getName()).start();
        BufferedReader output = new BufferedReader(new InputStreamReader(program.getInputStream()));
        assertTrue(String.valueOf(output.readLine()).startsWith("http"));
        assertEquals(0, program.waitFor());
    }

    /** Its main thread ends before its order. */
    static final class Program {
        public static void main(String[] arguments) {
            org.payorder.testing.Sandbox slow = new org.payorder.testing.Sandbox();
            slow.fault("create:*:slow=500");
            slow.client()
                    .createOrderAsync(Sandbox.order())
                    .thenAccept(checkout -> System.out.println(checkout.getUrl()));
        }
    }

    private static boolean hasThread(String name) {
        return Thread.getAllStackTraces().keySet().stream()
                .anyMatch(thread -> thread.getName().equals(name));
    }
}
