*> payorder.cpy: the records of the payorder package for GnuCOBOL. See README.md.
*>
*> Each field that a program fills has one character more than the longest value: its last
*> character must be a space. A full field may have lost characters in a MOVE, so it is an error,
*> and nothing is sent. Spaces at the end of a field are not part of the value.
 01  PO-CLIENT                  USAGE POINTER.

*> What a program fills to create an order. All fields are required. Texts are UTF-8.
 01  PO-ORDER.
     05  PO-AMOUNT              PIC X(21).
     05  PO-MERCHANT-TXN-ID     PIC X(65).
     05  PO-ORDER-ID            PIC X(65).
     05  PO-PAY-MODE            PIC X(9).
     05  PO-MERCHANT-ID         PIC X(65).
     05  PO-PRODUCT-INFO        PIC X(257).
     05  PO-CUSTOMER-NAME       PIC X(257).
     05  PO-CUSTOMER-MOBILE     PIC X(33).
     05  PO-CUSTOMER-EMAIL      PIC X(257).
     05  PO-REDIRECTION-URL     PIC X(1025).
     05  PO-CURRENCY-CODE       PIC X(9).

*> Where the customer pays.
 01  PO-URL                     PIC X(2049).

*> How the last call ended. Each call writes all of it.
 01  PO-ERROR.
     05  PO-RESULT              PIC S9(9) COMP-5.
         88  PO-OK              VALUE 0.
         88  PO-NOT-SENT        VALUE 1 THRU 99.
         88  PO-REJECTED        VALUE 100 THRU 199.
         88  PO-UNKNOWN         VALUE 200 THRU 299.
         88  PO-DUPLICATE       VALUE 206.
     05  PO-NAME                PIC X(40).
     05  PO-CAUSE               PIC X(40).
     05  PO-ACTION              PIC X(40).
*>   For people; the end of a long message is left out.
     05  PO-MESSAGE             PIC X(400).
*>   With PO-DUPLICATE: what the journal knows; spaces if it is not known. PO-PREVIOUS-STATUS is
*>   the transaction status. Before you show PO-PREVIOUS-URL, read about duplicates in README.md.
     05  PO-PREVIOUS-ORDER-ID   PIC X(65).
     05  PO-PREVIOUS-AMOUNT     PIC X(21).
     05  PO-PREVIOUS-STATE      PIC X(20).
     05  PO-PREVIOUS-STATUS     PIC X(65).
     05  PO-PREVIOUS-URL        PIC X(2049).

*> The status of an order, and whether it is paid as expected.
 01  PO-STATUS.
*>   Y only if the order, the amount and everything else are as expected. Only this proves a
*>   payment.
     05  PO-PAID                PIC X.
*>   The checks that failed, separated by spaces.
     05  PO-NOT-PAID-BECAUSE    PIC X(120).
*>   Y if a wait ended because its time was over.
     05  PO-TIMED-OUT           PIC X.
     05  PO-STATUS-ORDER-ID     PIC X(65).
     05  PO-TRANSACTION-ID      PIC X(65).
     05  PO-TRANSACTION-STATUS  PIC X(65).
     05  PO-TRANSACTION-DATE    PIC X(65).
     05  PO-STATUS-AMOUNT       PIC X(21).
     05  PO-STATUS-PAY-MODE     PIC X(33).
     05  PO-REFUND-STATUS       PIC X(65).
     05  PO-SETTLEMENT-STATUS   PIC X(65).

*> What is in the journal for one order.
 01  PO-ENTRY.
     05  PO-ENTRY-NUMBER        PIC S9(18) COMP-5.
     05  PO-ENTRY-ORDER-ID      PIC X(65).
     05  PO-ENTRY-AMOUNT        PIC X(21).
     05  PO-ENTRY-STATE         PIC X(20).

*> The path of the journal, or spaces.
 01  PO-JOURNAL                 PIC X(257).
*> Milliseconds, for payorder_cobol_wait.
 01  PO-WAIT-MS                 PIC S9(9) COMP-5.
*> What payorder_cobol_resolve counts.
 01  PO-UNRESOLVED              PIC S9(9) COMP-5.
*> The lengths of the records, which payorder_cobol_open compares with its own.
 01  PO-LENGTHS.
     05  PO-LENGTH-ORDER        PIC S9(9) COMP-5 VALUE LENGTH OF PO-ORDER.
     05  PO-LENGTH-ERROR        PIC S9(9) COMP-5 VALUE LENGTH OF PO-ERROR.
     05  PO-LENGTH-STATUS       PIC S9(9) COMP-5 VALUE LENGTH OF PO-STATUS.
     05  PO-LENGTH-ENTRY        PIC S9(9) COMP-5 VALUE LENGTH OF PO-ENTRY.
