package org.payorder;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Logger;

final class StatusesTest {
    public void whatTheCallbackThrowsIsThrownAgain() {
        try (PayorderClient client = Sandbox.client()) {
            AtomicInteger calls = new AtomicInteger();
            IllegalStateException thrown = new IllegalStateException("from the callback");
            List<StatusQuery> queries = Collections.nCopies(200, StatusQuery.byOrder("none"));
            Runnable statuses =
                    () ->
                            client.getStatuses(
                                    queries,
                                    result -> {
                                        calls.incrementAndGet();
                                        throw thrown;
                                    },
                                    null);
            Check.isTrue(thrown == Check.fails(IllegalStateException.class, statuses));
            Check.equal(1, calls.get());
            Check.fails(
                    IllegalStateException.class,
                    () ->
                            Check.result(
                                    client.getStatusesAsync(
                                            queries,
                                            result -> {
                                                throw thrown;
                                            },
                                            null)));
        }
    }

    public void aLogHandlerSurvivesTheGarbageCollector() {
        try (PayorderClient client = Sandbox.client()) {
            AtomicInteger events = new AtomicInteger();
            client.setLog(
                    event -> {
                        Check.equal("create_order", event.getOperation());
                        events.incrementAndGet();
                    });
            for (int round = 0; round < 5; round++) {
                System.gc();
                client.createOrder(Sandbox.order());
            }
            Check.equal(15, events.get());
            client.setLog(null);
            client.createOrder(Sandbox.order());
            Check.equal(15, events.get());
        }
    }

    public void aLogHandlerThatThrowsDoesNotHideTheCheckout() {
        AtomicInteger records = new AtomicInteger();
        Logger logger = Logger.getLogger("org.payorder");
        logger.setUseParentHandlers(false);
        logger.setFilter(record -> records.incrementAndGet() < 0);
        try (PayorderClient client = Sandbox.client()) {
            client.setLog(
                    event -> {
                        throw new IllegalStateException("from the log handler");
                    });
            Check.isTrue(client.createOrder(Sandbox.order()).getUrl().startsWith("http"));
        }
        Check.equal(3, records.get());
    }

    public void threadsShareAClient() {
        try (PayorderClient client = Sandbox.client()) {
            List<PaymentFuture<Checkout>> calls = new ArrayList<>();
            for (int number = 0; number < 16; number++) {
                calls.add(client.createOrderAsync(Sandbox.order(), null));
            }
            Set<String> urls = new HashSet<>();
            for (PaymentFuture<Checkout> call : calls) {
                urls.add(call.thenApply(Checkout::getUrl).join());
            }
            Check.equal(16, urls.size());
        }
    }
}
