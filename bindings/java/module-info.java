/** Creates payment orders and reads their status. */
module org.payorder {
    requires com.sun.jna;
    requires java.logging;

    exports org.payorder;
    exports org.payorder.testing;
}
