       *> payorder.cpy: the records of the payorder package for
       *> GnuCOBOL. See README.md.
       *>
       *> Each field that a program fills has one character more than
       *> the longest value: its last character must be a space. A full
       *> field may have lost characters in a MOVE, so it is an error,
       *> and nothing is sent. Spaces at the end of a field are not part
       *> of the value.
       01  PAYO-CLIENT                 USAGE POINTER.

       *> What a program fills to create an order. All fields are
       *> required. Texts are UTF-8.
       01  PAYO-ORDER.
           05  PAYO-AMOUNT             PIC X(21).
           05  PAYO-MERCHANT-TXN-ID    PIC X(65).
           05  PAYO-ORDER-ID           PIC X(65).
           05  PAYO-PAY-MODE           PIC X(9).
           05  PAYO-MERCHANT-ID        PIC X(65).
           05  PAYO-PRODUCT-INFO       PIC X(257).
           05  PAYO-CUSTOMER-NAME      PIC X(257).
           05  PAYO-CUSTOMER-MOBILE    PIC X(33).
           05  PAYO-CUSTOMER-EMAIL     PIC X(257).
           05  PAYO-REDIRECTION-URL    PIC X(1025).
           05  PAYO-CURRENCY-CODE      PIC X(9).

       *> Where the customer pays.
       01  PAYO-URL                    PIC X(2049).

       *> How the last call ended. Each call writes all of it.
       01  PAYO-ERROR.
           05  PAYO-RESULT             PIC S9(9) COMP-5.
               88  PAYO-OK             VALUE 0.
               88  PAYO-NOT-SENT       VALUE 1 THRU 99.
               88  PAYO-REJECTED       VALUE 100 THRU 199.
               88  PAYO-UNKNOWN        VALUE 200 THRU 299.
               88  PAYO-DUPLICATE      VALUE 206.
           05  PAYO-NAME               PIC X(40).
           05  PAYO-CAUSE              PIC X(40).
           05  PAYO-ACTION             PIC X(40).
       *>   For people; the end of a long message is left out.
           05  PAYO-MESSAGE            PIC X(400).
       *>   With PAYO-DUPLICATE: what the journal knows; spaces if it is
       *>   not known. PAYO-PREVIOUS-STATUS is the transaction status.
       *>   Before you show PAYO-PREVIOUS-URL, read about duplicates in
       *>   README.md.
           05  PAYO-PREVIOUS-ORDER-ID  PIC X(65).
           05  PAYO-PREVIOUS-AMOUNT    PIC X(21).
           05  PAYO-PREVIOUS-STATE     PIC X(20).
           05  PAYO-PREVIOUS-STATUS    PIC X(65).
           05  PAYO-PREVIOUS-URL       PIC X(2049).

       *> The status of an order, and whether it is paid as expected.
       01  PAYO-STATUS.
       *>   Y only if the order, the amount and everything else are as
       *>   expected. Only this proves a payment.
           05  PAYO-PAID               PIC X.
       *>   The checks that failed, separated by spaces.
           05  PAYO-NOT-PAID-BECAUSE   PIC X(120).
       *>   Y if a wait ended because its time was over.
           05  PAYO-TIMED-OUT          PIC X.
           05  PAYO-STATUS-ORDER-ID    PIC X(65).
           05  PAYO-TRANSACTION-ID     PIC X(65).
           05  PAYO-TRANSACTION-STATUS PIC X(65).
           05  PAYO-TRANSACTION-DATE   PIC X(65).
           05  PAYO-STATUS-AMOUNT      PIC X(21).
           05  PAYO-STATUS-PAY-MODE    PIC X(33).
           05  PAYO-REFUND-STATUS      PIC X(65).
           05  PAYO-REFUND-TYPE        PIC X(65).
           05  PAYO-SETTLEMENT-STATUS  PIC X(65).

       *> What is in the journal for one order.
       01  PAYO-ENTRY.
           05  PAYO-ENTRY-NUMBER       PIC S9(18) COMP-5.
           05  PAYO-ENTRY-ORDER-ID     PIC X(65).
           05  PAYO-ENTRY-AMOUNT       PIC X(21).
           05  PAYO-ENTRY-STATE        PIC X(20).

       *> The path of the journal, or spaces.
       01  PAYO-JOURNAL                PIC X(257).
       *> Milliseconds, for payorder_cobol_wait.
       01  PAYO-WAIT-MS                PIC S9(9) COMP-5.
       *> What payorder_cobol_resolve counts.
       01  PAYO-UNRESOLVED             PIC S9(9) COMP-5.
       *> The lengths of the records, which payorder_cobol_open compares
       *> with its own.
       01  PAYO-LENGTHS.
           05  PAYO-LENGTH-ORDER       PIC S9(9) COMP-5
                   VALUE LENGTH OF PAYO-ORDER.
           05  PAYO-LENGTH-ERROR       PIC S9(9) COMP-5
                   VALUE LENGTH OF PAYO-ERROR.
           05  PAYO-LENGTH-STATUS      PIC S9(9) COMP-5
                   VALUE LENGTH OF PAYO-STATUS.
           05  PAYO-LENGTH-ENTRY       PIC S9(9) COMP-5
                   VALUE LENGTH OF PAYO-ENTRY.
