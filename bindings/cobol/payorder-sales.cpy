       *> Many orders, each with its verdict. For another number of
       *> rows: COPY "payorder-sales.cpy" REPLACING ==100== BY ==2000==.
       01  PAYO-SALES.
       *>   How many rows are filled.
           05  PAYO-SALE-COUNT         PIC S9(9) PACKED-DECIMAL.
           05  PAYO-SALE               OCCURS 100 TIMES.
       *>       What the program fills.
               10  PAYO-SALE-ORDER-ID  PIC X(65).
               10  PAYO-SALE-AMOUNT    PIC S9(15)V999 PACKED-DECIMAL.
       *>       What the call fills.
               10  PAYO-SALE-VERDICT   PIC X(20).
                   88  PAYO-SALE-PAID  VALUE "paid".
                   88  PAYO-SALE-CHECK VALUE "check".
                   88  PAYO-SALE-UNKNOWN VALUE "unknown".
       *>           Only of payorder_cobol_get_statuses:
                   88  PAYO-SALE-NOT-PAID VALUE "not_paid".
       *>           Only of payorder_cobol_recover:
                   88  PAYO-SALE-PAYABLE VALUE "payable".
                   88  PAYO-SALE-URL-LOST VALUE "url_lost".
                   88  PAYO-SALE-SENDING VALUE "sending".
                   88  PAYO-SALE-REFUSED VALUE "refused".
                   88  PAYO-SALE-NOT-SENT VALUE "not_sent".
                   88  PAYO-SALE-SETTLED VALUE "settled".
                   88  PAYO-SALE-NOT-IN-JOURNAL VALUE "not_in_journal".
       *>       The checks that failed, separated by spaces.
               10  PAYO-SALE-BECAUSE   PIC X(120).
       *>       With PAYO-SALE-PAYABLE: where the customer pays.
               10  PAYO-SALE-URL       PIC X(2049).
               10  PAYO-SALE-STATUS    PIC X(65).
       *>       Of payorder_cobol_get_statuses: how its query ended.
       *>       Of payorder_cobol_recover: why it could not ask.
               10  PAYO-SALE-NAME      PIC X(40).
               10  PAYO-SALE-CAUSE     PIC X(40).
       *>       Of payorder_cobol_recover: its entry, or 0.
               10  PAYO-SALE-ENTRY     PIC S9(18) PACKED-DECIMAL.
