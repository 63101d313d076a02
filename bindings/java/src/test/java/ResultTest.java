import static org.junit.jupiter.api.Assertions.*;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.payorder.*;
import org.payorder.Constants.Actions;
import org.payorder.Constants.Causes;
import org.payorder.Constants.Outcome;

/** What the types add. The conformance suite has the outcomes. */
final class ResultTest {
    @Test
    void anOrderIdIsAQueryAndTimesAreDurations() {
        try (PayorderClient client = Sandbox.client()) {
            Order order = Sandbox.order();
            client.createOrder(order);
            assertEquals(order.getOrderId(), client.getStatus(order.getOrderId()).getOrderId());
            WaitOptions options = new WaitOptions().waitFor(Duration.ofNanos(1));
            assertTrue(client.waitForPayment(order.getOrderId(), options).isTimedOut());
        }
    }

    @Test
    void argumentsAreChecked() {
        try (PayorderClient client = Sandbox.client()) {
            NullPointerException missing =
                    assertThrowsExactly(
                            NullPointerException.class, () -> client.createOrder((Order) null));
            assertEquals("order", missing.getMessage());
            missing =
                    assertThrowsExactly(
                            NullPointerException.class, () -> client.getStatus((StatusQuery) null));
            assertEquals("query", missing.getMessage());
            CallOptions unset = new CallOptions().accessToken(null);
            assertThrowsExactly(
                    IllegalArgumentException.class, () -> client.setCredentials(unset));
            WaitOptions none = new WaitOptions().interval(Duration.ZERO);
            assertThrowsExactly(
                    InvalidArgumentException.class, () -> client.waitForPayment("O-1", none));
            WaitOptions negative = new WaitOptions().waitFor(Duration.ofNanos(-1));
            String said =
                    assertThrowsExactly(
                                    InvalidArgumentException.class,
                                    () -> client.waitForPayment("O-1", negative))
                            .getMessage();
            assertTrue(said.startsWith("waitFor must not be negative"), said);
            WaitOptions endless = new WaitOptions().timeout(Duration.ofSeconds(Long.MAX_VALUE));
            assertThrowsExactly(
                    InvalidArgumentException.class, () -> client.waitForPayment("O-1", endless));
            BatchOptions noRate = new BatchOptions().ratePerSecond(Double.NaN);
            said =
                    assertThrowsExactly(
                                    InvalidArgumentException.class,
                                    () -> client.getStatuses(Arrays.asList(), one -> true, noRate))
                            .getMessage();
            assertTrue(said.startsWith("ratePerSecond must be a finite number"), said);
            ClientConfig config = new ClientConfig(null).maxIdle(Duration.ofMillis(-1));
            said =
                    assertThrowsExactly(
                                    InvalidConfigException.class,
                                    () -> PayorderClient.fromEnv(config))
                            .getMessage();
            assertTrue(said.startsWith("maxIdle must not be negative"), said);
            InvalidRequestException broken =
                    assertThrowsExactly(
                            InvalidRequestException.class,
                            () -> client.createOrder(Sandbox.order().amount("-7")));
            Violation violation = broken.getViolations().get(0);
            assertTrue(violation.toString().contains("amount"), violation.toString());
            assertFalse(violation.toString().contains("7"), violation.toString());
        }
    }

    @Test
    void nothingPrintsCredentialsOrTheCustomersData() {
        try (PayorderClient client = Sandbox.client()) {
            Order order = Sandbox.order();
            client.createOrder(order);
            Status status = client.getStatus(Sandbox.query(order));
            assertEquals("आशा राव", status.getCustomerName());
            Waited waited =
                    client.waitForPayment(
                            Sandbox.query(order), new WaitOptions().waitFor(Duration.ofMillis(1)));
            ClientConfig config =
                    new ClientConfig(null)
                            .accessToken("sandbox-access-token")
                            .journal("postgresql://shop:sandbox-password@db.example/shop");
            for (Object one : Arrays.asList(order, status, waited, client, config)) {
                String text = one.toString();
                assertFalse(text.contains(status.getCustomerName()), text);
                assertFalse(text.contains("sandbox-"), text);
            }
            assertTrue(status.toString().contains(order.getOrderId()), status.toString());
        }
    }

    @Test
    void fieldsShowNoCredentialAndQueriesHaveGetters() throws IllegalAccessException {
        ClientConfig config = new ClientConfig(null).accessToken("sandbox-access-token");
        CallOptions options = new CallOptions().secretKey("sandbox-secret-key");
        for (Object one : Arrays.<Object>asList(config, options, Sandbox.order())) {
            for (Class<?> type = one.getClass(); type != null; type = type.getSuperclass()) {
                for (Field field : type.getDeclaredFields()) {
                    // As Gson does.
                    if ((field.getModifiers() & (Modifier.STATIC | Modifier.TRANSIENT)) == 0) {
                        field.setAccessible(true);
                        String text = String.valueOf(field.get(one));
                        assertFalse(text.matches("(?s).*(sandbox-|आशा).*"), field + text);
                    }
                }
            }
        }
        assertEquals("O-1", StatusQuery.byOrder("O-1").getOrderId());
        assertEquals("T-1", StatusQuery.byTransaction("T-1").getTransactionId());
        assertNull(StatusQuery.byOrder("O-1").getTransactionId());
    }

    @Test
    void resultsAreMadeWithoutAService() {
        Status status =
                Status.fromJson(
                        "{\"responseCode\":\"200\",\"data\":{\"orderId\":\"O-1\","
                                + "\"amount\":\"1.00\",\"transactionStatus\":\"Completed\"}}");
        assertTrue(status.isCompleted());
        String sent = "{\"data\":{\"transactionDate\":\"11/21/2026 02:05:06 PM\"}}";
        assertEquals(
                LocalDateTime.parse("2026-11-21T14:05:06"),
                Status.fromJson(sent).getTransactionDate());
        // Verification reads only what the service sends.
        String derived = "{\"derived\":{\"transactionDate\":\"2026-11-21T14:05:06\"}}";
        assertNull(Status.fromJson(derived).getTransactionDate());
        assertTrue(Payorder.verifyPayment(new ExpectedPayment("O-1", "1"), status).isPaid());
        List<FailedCheck> reasons =
                Payorder.verifyPayment(new ExpectedPayment("O-1", "2"), status).getReasons();
        assertThrowsExactly(UnsupportedOperationException.class, reasons::clear);
        PayorderException error = PayorderException.of(Result.TIMEOUT, "no response");
        assertEquals(ResponseTimeoutException.class, error.getClass());
        assertEquals("no response (PAYORDER_TIMEOUT)", error.getMessage());
        assertEquals(Outcome.UNKNOWN, error.getOutcome());
        assertEquals(Actions.ASK_STATUS, error.getAction());
        assertEquals(Causes.RESPONSE_TIMED_OUT, error.getErrorCause());
        String seen = "{\"data\":{\"orderId\":\"O-1\",\"customerName\":\"Asha\"}}";
        Waited waited = Waited.fromJson("{\"final\":true,\"polls\":2,\"status\":" + seen + "}");
        assertTrue(waited.isFinal());
        assertEquals(2, waited.getPolls());
        assertEquals("O-1", waited.getStatus().getOrderId());
        assertTrue(waited.toString().contains("O-1") && !waited.toString().contains("Asha"));
        waited = Waited.fromJson("{\"timedOut\":true,\"status\":null,\"error\":{\"result\":101}}");
        assertEquals(UnauthorizedException.class, waited.getError().getClass());
        assertEquals(Actions.CHECK_CREDENTIALS, waited.getError().getAction());
        assertThrowsExactly(IllegalArgumentException.class, () -> Waited.fromJson("{}"));
        assertThrowsExactly(IllegalArgumentException.class, () -> Checkout.fromJson("{}"));
        assertEquals(waited, Sandbox.result(PaymentFuture.completed(waited)));
        PaymentFuture<Waited> failed = PaymentFuture.failed(waited.getError());
        assertFalse(failed.cancel(true));
        assertThrowsExactly(UnauthorizedException.class, () -> Sandbox.result(failed));
    }

    @Test
    void whatTheJournalGivesIsMadeWithoutAService() {
        String summary = "\"summary\":{\"asked\":1,\"ok\":1}";
        Recovered recovered =
                Recovered.fromJson(
                        "{\"sales\":[{\"orderId\":\"O-1\",\"verdict\":\"url_lost\"}]," + summary + "}");
        Recovered.Sale sale = recovered.getSales().get(0);
        assertEquals(Recovered.Verdict.URL_LOST, sale.getVerdict());
        assertEquals(1, recovered.getSummary().getOk());
        assertTrue(recovered.toString().contains("url_lost"), recovered.toString());
        assertTrue(recovered.getRaw().endsWith("\"ok\":1}}"), recovered.getRaw());
        // It must not look as if no sale were open.
        assertThrowsExactly(IllegalArgumentException.class, () -> Recovered.fromJson("{}"));
        String entry = "{\"entry\":7,\"orderId\":\"O-1\",\"state\":\"created\",\"url\":\"u\"}";
        Resolved resolved = Resolved.fromJson("{\"entries\":[" + entry + "]}");
        assertEquals(0, resolved.getSummary().getAsked());
        assertTrue(resolved.toString().contains("created"), resolved.toString());
        StatusQuery query = StatusQuery.byOrder("O-1");
        PayorderException error =
                PayorderException.of(
                        Result.DUPLICATE, "sent before", null, resolved.getEntries().get(0));
        assertEquals(7, error.getPrevious().getEntry());
        assertEquals(query.toJson(), error.getStatusQuery().toJson());
        assertEquals(Causes.ORDER_ALREADY_SENT, error.getErrorCause());
        assertEquals(Actions.USE_PREVIOUS, error.getAction());
        String lost = "{\"error\":{\"result\":206,\"previous\":{\"state\":\"created\"}}}";
        assertEquals(Actions.ASK_STATUS, PayorderException.fromJson(lost).getAction());
        assertEquals(
                error.getRaw(), PayorderException.fromJson(error.getRaw()).getRaw());
        IllegalArgumentException wrong =
                assertThrowsExactly(
                        IllegalArgumentException.class,
                        () -> PayorderException.fromJson("{\"result\":4}"));
        assertEquals("no key \"error\"", wrong.getMessage());
        assertEquals(error, new StatusResult(0, query, null, error).getError());
        assertEquals(2, Summary.fromJson("{\"asked\":2}").getAsked());
    }

    @Test
    void anErrorSurvivesSerialization() throws IOException, ClassNotFoundException {
        InvalidConfigException error =
                assertThrowsExactly(InvalidConfigException.class, () -> new PayorderClient("{}"));
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        new ObjectOutputStream(bytes).writeObject(error);
        Object read =
                new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray())).readObject();
        assertEquals(error.getErrorCause(), ((InvalidConfigException) read).getErrorCause());
        assertEquals(error.getMessage(), ((InvalidConfigException) read).getMessage());
    }

    @Test
    void aStubFindsEqualArguments() {
        StatusQuery query = StatusQuery.byOrder("O-1");
        assertEquals(Collections.singleton(query), Collections.singleton(StatusQuery.byOrder("O-1")));
        assertNotEquals(query, StatusQuery.byTransaction("O-1"));
        ExpectedPayment expected = new ExpectedPayment("O-1", "1").transactionId("T");
        ExpectedPayment same = new ExpectedPayment("O-1", BigDecimal.ONE).transactionId("T");
        assertEquals(Collections.singleton(expected), Collections.singleton(same));
        assertNotEquals(expected, new ExpectedPayment("O-1", "1"));
        assertNotEquals(expected, same.notBefore(Instant.EPOCH));
        String began = "\"notBefore\":\"1970-01-01T00:00:00Z\"}";
        assertTrue(same.toString().endsWith(began), same.toString());
    }

    @Test
    void theJournalCanBeFaked() {
        JournalEntry entry = JournalEntry.fromJson("{\"entry\":7}");
        Journal journal =
                new Journal() {
                    @Override
                    public List<JournalEntry> list(ListOptions options) {
                        return Collections.singletonList(entry);
                    }
                };
        assertEquals(7, journal.list().get(0).getEntry());
    }
}
