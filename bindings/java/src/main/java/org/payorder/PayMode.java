package org.payorder;

/** How the customer may pay. */
public enum PayMode {
    /** in any way */
    ALL,
    /** credit card */
    CC,
    /** debit card */
    DC,
    /** UPI */
    UPI,
    /** net banking */
    NB
}
