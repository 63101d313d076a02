package org.payorder;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.Collections;
import org.payorder.Constants.Causes;

final class LifetimeTest {
    public void aClosedClientSendsNothing() {
        PayorderClient client = Sandbox.client();
        client.close();
        client.close();
        StatusQuery query = StatusQuery.byOrder("x");
        Class<InvalidHandleException> closed = InvalidHandleException.class;
        InvalidHandleException error =
                Check.fails(closed, () -> client.createOrder(Sandbox.order()));
        Check.equal(Constants.Outcome.NOT_SENT, error.getOutcome());
        Check.equal(Causes.CLIENT_FREED, error.getErrorCause());
        Check.fails(closed, () -> client.getStatus(query));
        Check.fails(
                closed,
                () -> client.getStatuses(Collections.singletonList(query), one -> true, null));
        Check.fails(closed, () -> client.getJournal().list());
        Check.equal(Causes.CLIENT_FREED, Check.fails(closed, client::cancel).getErrorCause());
        Check.fails(closed, () -> client.setLog(event -> {}));
    }

    public void aCallInFlightEndsAfterItsClientIsClosed() {
        try (PayorderClient other = Sandbox.client()) {
            PayorderClient client = Sandbox.client();
            Order order = Sandbox.order("sandbox:stall");
            PaymentFuture<Checkout> call =
                    client.createOrderAsync(
                            order,
                            new OrderOptions().timeout(java.time.Duration.ofSeconds(2)));
            Sandbox.waitUntilKnown(other, order);
            client.close();
            Check.fails(InvalidHandleException.class, client::cancel);
            Check.fails(ResponseTimeoutException.class, () -> Check.result(call));
        }
    }

    public void aClientThatCannotBeCreatedLeavesNothing() {
        long clients = Payorder.getLiveClients();
        Check.fails(
                InvalidConfigException.class, () -> new PayorderClient(new ClientConfig(null)));
        Check.equal(clients, Payorder.getLiveClients());
    }

    public void theLibrarySaysItsVersion() {
        Check.equal("0.1.0", Payorder.getVersion());
        Check.equal(1, Payorder.getAbiVersion());
    }

    public void anErrorSurvivesSerialization() throws IOException, ClassNotFoundException {
        InvalidConfigException error =
                Check.fails(InvalidConfigException.class, () -> new PayorderClient("{}"));
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        new ObjectOutputStream(bytes).writeObject(error);
        Object read =
                new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray())).readObject();
        Check.equal(error.getErrorCause(), ((InvalidConfigException) read).getErrorCause());
        Check.equal(error.getMessage(), ((InvalidConfigException) read).getMessage());
    }

    /** Runs after all other tests. */
    static void nothingIsLeft() {
        forget();
        Check.until(
                () -> {
                    System.gc();
                    return Payorder.getLiveClients() == 0;
                });
        Check.equal(0L, Payorder.getLiveStrings());
        Check.equal(0L, Payorder.getLiveCalls());
    }

    private static void forget() {
        for (int number = 0; number < 3; number++) {
            Sandbox.client();
        }
        Check.isTrue(Payorder.getLiveClients() >= 3);
    }
}
