       *> How the last call ended. Each call writes all of it.
       01  PAYO-ERROR.
       *>   Before the first call, none of these is true.
           05  PAYO-OUTCOME            PIC X(8).
               88  PAYO-OK             VALUE "OK".
       *>       Only after payorder_cobol_create_order:
               88  PAYO-NOT-SENT       VALUE "NOT-SENT".
               88  PAYO-REJECTED       VALUE "REJECTED".
               88  PAYO-UNKNOWN        VALUE "UNKNOWN".
       *>       After the others. It says nothing about an order.
               88  PAYO-FAILED         VALUE "FAILED".
       *>   The number that the function returned.
           05  PAYO-RESULT             PIC S9(9) PACKED-DECIMAL.
           05  PAYO-NAME               PIC X(40).
               88  PAYO-DUPLICATE      VALUE "PAYORDER_DUPLICATE".
               88  PAYO-CANCELLED      VALUE "PAYORDER_CANCELLED"
                   "PAYORDER_CANCELLED_IN_FLIGHT".
           05  PAYO-CAUSE              PIC X(40).
               88  PAYO-ORDER-EXISTS   VALUE "order_exists".
               88  PAYO-ORDER-COMPLETED VALUE "order_completed".
               88  PAYO-ORDER-SETTLED  VALUE "order_settled".
               88  PAYO-IDENTIFIER-USED VALUE "identifier_used".
               88  PAYO-BEING-SENT     VALUE "order_being_sent".
               88  PAYO-MAY-EXIST      VALUE "order_may_exist".
           05  PAYO-ACTION             PIC X(40).
               88  PAYO-ASK-STATUS     VALUE "ask_status".
               88  PAYO-ASK-PERSON     VALUE "ask_person".
               88  PAYO-RETRY          VALUE "retry" "retry_later".
       *>   For people; the end of a long message is left out.
           05  PAYO-MESSAGE            PIC X(400).
       *>   What the service answered; 0 and spaces if it did not.
           05  PAYO-HTTP-STATUS        PIC S9(9) PACKED-DECIMAL.
           05  PAYO-RETRY-AFTER-MS     PIC S9(9) PACKED-DECIMAL.
           05  PAYO-RESPONSE-CODE      PIC X(65).
           05  PAYO-REQUEST-ID         PIC X(201).
       *>   After PAYO-UNKNOWN: where the customer can pay if the order
       *>   exists. First ask for its status.
           05  PAYO-CHECKOUT-URL       PIC X(2049).
       *>   The fields that break a rule.
           05  PAYO-VIOLATION-COUNT    PIC S9(9) PACKED-DECIMAL.
           05  PAYO-VIOLATION          OCCURS 12 TIMES.
               10  PAYO-VIOLATION-FIELD PIC X(33).
               10  PAYO-VIOLATION-RULE PIC X(17).
               10  PAYO-VIOLATION-MESSAGE PIC X(160).
       *>   With PAYO-DUPLICATE: the journal's entry. If PAYO-PREVIOUS-
       *>   URL is not blank, the customer pays there. Otherwise do
       *>   what PAYO-ACTION says.
           05  PAYO-PREVIOUS-URL       PIC X(2049).
           05  PAYO-PREVIOUS-ORDER-ID  PIC X(65).
           05  PAYO-PREVIOUS-AMOUNT    PIC S9(15)V999 PACKED-DECIMAL.
           05  PAYO-PREVIOUS-AMOUNT-TEXT PIC X(65).
           05  PAYO-PREVIOUS-STATE     PIC X(20).
           05  PAYO-PREVIOUS-STATUS    PIC X(65).
