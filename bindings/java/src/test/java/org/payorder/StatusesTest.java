package org.payorder;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Logger;

final class StatusesTest {
    public void everyQueryHasItsResultInTheThreadOfTheCaller() {
        try (PayorderClient client = Sandbox.client()) {
            List<Order> orders = new ArrayList<>();
            List<StatusQuery> queries = new ArrayList<>();
            for (int number = 0; number < 20; number++) {
                Order order = Sandbox.order();
                client.createOrder(order);
                orders.add(order);
                queries.add(Sandbox.query(order));
            }
            queries.add(StatusQuery.byOrder("none"));
            queries.add(StatusQuery.fromJson("{}"));
            StatusResult[] results = new StatusResult[22];
            Thread caller = Thread.currentThread();
            Summary summary =
                    client.getStatuses(
                            queries,
                            result -> {
                                Check.equal(caller, Thread.currentThread());
                                System.gc();
                                results[result.getIndex()] = result;
                                return true;
                            },
                            new BatchOptions().concurrency(4).ratePerSecond(1000.0));
            for (int at = 0; at < orders.size(); at++) {
                String id = orders.get(at).getOrderId();
                Check.equal(id, results[at].getStatus().getOrderId());
                Check.isTrue(results[at].getQuery().toJson().contains(id));
            }
            Check.equal(RejectedException.class, results[20].getError().getClass());
            Check.equal(InvalidRequestException.class, results[21].getError().getClass());
            Check.equal(22, summary.getAsked());
            Check.equal(20, summary.getOk());
            Check.equal(1, summary.getRejected());
            Check.equal(1, summary.getNotSent());
            Check.equal(20L, summary.getTransactionStatus().get("Pending"));
            Check.isTrue(!summary.isStopped());
        }
    }

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

    public void theCallbackCanStop() {
        try (PayorderClient client = Sandbox.client()) {
            List<StatusQuery> queries = Collections.nCopies(200, StatusQuery.byOrder("none"));
            Summary summary = client.getStatuses(queries, result -> false, null);
            Check.isTrue(summary.isStopped());
            Check.isTrue(summary.getAsked() < 200);
        }
    }

    public void aLogHandlerSurvivesTheGarbageCollector() {
        try (PayorderClient client = Sandbox.client()) {
            AtomicInteger events = new AtomicInteger();
            client.setLog(
                    event -> {
                        Check.equal("create_order", JsonValue.parse(event).textOf("operation"));
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
