package org.payorder;

import java.util.function.Predicate;

/**
 * The calls of {@link PayorderClient}. A program that takes this interface can be tested without a
 * service. Options may be null.
 */
public interface PaymentClient extends AutoCloseable {
    /** Creates an order. It is never sent again after a byte of it was sent. */
    default Checkout createOrder(Order order) {
        return createOrder(order, null);
    }

    /** Creates an order. It is never sent again after a byte of it was sent. */
    Checkout createOrder(Order order, @Nullable OrderOptions options);

    /** The same without options. */
    default PaymentFuture<Checkout> createOrderAsync(Order order) {
        return createOrderAsync(order, null);
    }

    /** Starts creating an order. The program keeps running until the future has ended. */
    PaymentFuture<Checkout> createOrderAsync(Order order, @Nullable OrderOptions options);

    /** Asks for the status of an order. This changes nothing: ask again after any failure. */
    default Status getStatus(StatusQuery query) {
        return getStatus(query, null);
    }

    /** Asks for the status of the order with this identifier. */
    default Status getStatus(String orderId) {
        return getStatus(StatusQuery.byOrder(orderId), null);
    }

    /** Asks for the status of an order. This changes nothing: ask again after any failure. */
    Status getStatus(StatusQuery query, @Nullable CallOptions options);

    /** The same without options. */
    default PaymentFuture<Status> getStatusAsync(StatusQuery query) {
        return getStatusAsync(query, null);
    }

    /** The same with the identifier of the order. */
    default PaymentFuture<Status> getStatusAsync(String orderId) {
        return getStatusAsync(StatusQuery.byOrder(orderId), null);
    }

    /** Starts asking for the status of an order. */
    PaymentFuture<Status> getStatusAsync(StatusQuery query, @Nullable CallOptions options);

    /** Asks again and again, until the payment is final or the time is up. */
    Waited waitForPayment(StatusQuery query, @Nullable WaitOptions options);

    /** The same with the identifier of the order. */
    default Waited waitForPayment(String orderId, @Nullable WaitOptions options) {
        return waitForPayment(StatusQuery.byOrder(orderId), options);
    }

    /** The same without options. */
    default PaymentFuture<Waited> waitForPaymentAsync(StatusQuery query) {
        return waitForPaymentAsync(query, null);
    }

    /** Starts waiting. It holds no thread between two queries. */
    PaymentFuture<Waited> waitForPaymentAsync(StatusQuery query, @Nullable WaitOptions options);

    /**
     * Asks for many statuses, several at a time. The callback gets each result, in this thread; in
     * another one if this is virtual. If it returns false or throws, no more queries are sent; what
     * it threw is thrown again.
     */
    Summary getStatuses(
            Iterable<StatusQuery> queries,
            Predicate<StatusResult> each,
            @Nullable BatchOptions options);

    /** The same, in another thread, which also runs the callback. */
    PaymentFuture<Summary> getStatusesAsync(
            Iterable<StatusQuery> queries,
            Predicate<StatusResult> each,
            @Nullable BatchOptions options);

    /**
     * After a start: one verdict for each of the sales that the program believes open, and for each
     * open entry of the journal.
     *
     * @param sales null if the journal knows them all
     */
    Recovered recover(@Nullable Iterable<ExpectedPayment> sales, @Nullable RecoverOptions options);

    /** The same without options. */
    default PaymentFuture<Recovered> recoverAsync(@Nullable Iterable<ExpectedPayment> sales) {
        return recoverAsync(sales, null);
    }

    /** Starts it. */
    PaymentFuture<Recovered> recoverAsync(
            @Nullable Iterable<ExpectedPayment> sales, @Nullable RecoverOptions options);

    /** Frees what it has. */
    @Override
    void close();
}
