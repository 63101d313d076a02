       *> The status of one order, and whether it is paid as expected.
       *> payorder_cobol_create_order clears it.
       01  PAYO-STATUS.
       *>   Spaces: no status was received, so nothing is known.
           05  PAYO-VERDICT            PIC X(20).
       *>       The order, the amount and all else are as expected.
       *>       Only this proves a payment.
               88  PAYO-PAID           VALUE "paid".
       *>       A person must look at it: something was paid, or the
       *>       status is not that of the expected order.
               88  PAYO-CHECK          VALUE "check".
       *>       Not paid. The customer can still pay.
               88  PAYO-NOT-PAID       VALUE "not_paid".
       *>   The checks that failed, separated by spaces; orderExists:
       *>   it is paid, but the program's call did not make it.
           05  PAYO-NOT-PAID-BECAUSE   PIC X(120).
       *>   Of payorder_cobol_wait: Y if its time was over.
           05  PAYO-WAIT-END           PIC X.
               88  PAYO-TIMED-OUT      VALUE "Y".
           05  PAYO-STATUS-ORDER-ID    PIC X(65).
           05  PAYO-TRANSACTION-ID     PIC X(65).
           05  PAYO-TRANSACTION-STATUS PIC X(65).
           05  PAYO-TRANSACTION-DATE   PIC X(65).
       *>   -1 if the service's text is not a number that fits.
           05  PAYO-STATUS-AMOUNT      PIC S9(15)V999 PACKED-DECIMAL.
               88  PAYO-STATUS-AMOUNT-UNCLEAR VALUE -1.
           05  PAYO-STATUS-AMOUNT-TEXT PIC X(65).
           05  PAYO-STATUS-PAY-MODE    PIC X(65).
           05  PAYO-REFUND-STATUS      PIC X(65).
           05  PAYO-REFUND-TYPE        PIC X(65).
           05  PAYO-SETTLEMENT-STATUS  PIC X(65).

       *> Milliseconds, for payorder_cobol_wait.
       01  PAYO-WAIT-MS                PIC S9(9) PACKED-DECIMAL.
