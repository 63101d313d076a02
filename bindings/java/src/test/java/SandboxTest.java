import static org.junit.jupiter.api.Assertions.*;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Paths;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.payorder.*;

/** The sandbox for the tests of a program. */
final class SandboxTest {
    /** A program that has a sandbox, and is killed. */
    public static void main(String[] arguments) throws InterruptedException {
        try {
            System.out.println(new org.payorder.testing.Sandbox().getBaseUrl());
        } catch (IllegalStateException none) {
            System.out.println(none.getMessage());
        }
        Thread.sleep(Long.MAX_VALUE);
    }

    @Test
    void itPaysRefundsFailsAndForgets() {
        org.payorder.testing.Sandbox sandbox = new org.payorder.testing.Sandbox();
        try (PayorderClient client = sandbox.client()) {
            String id = "O/1 \u00e4";
            client.createOrder(Sandbox.order().orderId(id));
            assertEquals("Completed", sandbox.pay(id).get("state").getText());
            assertTrue(client.getStatus(id).isCompleted());
            assertEquals("true", sandbox.refund(id).get("refunded").getText());
            sandbox.fault("create:1:drop-after-commit");
            Order lost = Sandbox.order();
            assertThrows(ConnectionLostException.class, () -> client.createOrder(lost));
            assertEquals(2, sandbox.getOrders().size());
            assertEquals("Cancelled", sandbox.cancel(lost.getOrderId()).get("state").getText());
            assertEquals(
                    "create status create",
                    sandbox.getRequests().stream()
                            .map(one -> one.get("step").getText())
                            .collect(Collectors.joining(" ")));
            assertTrue(refused(() -> sandbox.fail("none")).contains("none"));
            assertTrue(refused(() -> sandbox.fault("\"\\")).contains("\\"));
            sandbox.reset();
            assertEquals(0, sandbox.getOrders().size());
            Thread.currentThread().interrupt();
            sandbox.close();
            assertTrue(Thread.interrupted());
            assertThrows(ConnectFailedException.class, () -> client.createOrder(lost));
        }
        sandbox.close();
        assertTrue(refused(sandbox::reset).contains("does not answer"));
    }

    @Test
    void itEndsWithAProgramThatIsKilled() throws IOException {
        Process program = program(System.getenv("PAYORDER_SANDBOX"));
        URI address = URI.create(firstLine(program));
        connect(address);
        program.destroyForcibly();
        Sandbox.until(
                () -> {
                    try {
                        connect(address);
                        return false;
                    } catch (IOException closed) {
                        return true;
                    }
                });
    }

    @Test
    void itSaysHowToGetOne() throws IOException {
        Process program = program("/nowhere");
        String line = firstLine(program);
        program.destroyForcibly();
        assertTrue(line.contains("\"/nowhere\"") && line.contains("name it in"), line);
    }

    private static String refused(Runnable work) {
        return assertThrowsExactly(IllegalStateException.class, work::run).getMessage();
    }

    private static Process program(String sandbox) throws IOException {
        String java = Paths.get(System.getProperty("java.home"), "bin", "java").toString();
        ProcessBuilder start = new ProcessBuilder(java, "-XX:TieredStopAtLevel=1", "SandboxTest");
        start.environment().put("PAYORDER_SANDBOX", sandbox);
        start.environment().put("CLASSPATH", System.getProperty("java.class.path"));
        return start.start();
    }

    private static String firstLine(Process program) throws IOException {
        return new BufferedReader(new InputStreamReader(program.getInputStream())).readLine();
    }

    private static void connect(URI address) throws IOException {
        new Socket(address.getHost(), address.getPort()).close();
    }
}
