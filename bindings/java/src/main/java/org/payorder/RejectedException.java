package org.payorder;

/**
 * The service refused the request. getResponseMessage is the reason that it gave. The refusal of a
 * query or a wait says nothing about the order.
 */
public class RejectedException extends PayorderException {
    private static final long serialVersionUID = 1;

    RejectedException(ErrorFields error) {
        super(error);
    }
}
