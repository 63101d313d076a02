      *> At night: compare all orders of the day with the service. The
      *> file orders.txt has an order in each line: the identifier in
      *> columns 1 to 20, the amount in 21 to 29 with two decimals and
      *> without a point: 000010000 is 100.00. No order may be in it
      *> twice: the call finds that only in the same table.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. reconciliation.
       ENVIRONMENT DIVISION.
       INPUT-OUTPUT SECTION.
       FILE-CONTROL.
           SELECT ORDERS ASSIGN TO "orders.txt"
               ORGANIZATION LINE SEQUENTIAL
               FILE STATUS IS ORDERS-STATUS.
       DATA DIVISION.
       FILE SECTION.
       FD  ORDERS.
       01  ORDER-LINE.
           05  LINE-ORDER-ID          PIC X(20).
           05  LINE-AMOUNT            PIC 9(7)V99.
           05  LINE-REST              PIC X(20).
       WORKING-STORAGE SECTION.
       COPY "payorder.cpy".
       01  ORDERS-STATUS              PIC XX.
       01  N                          PIC 9(6).
       01  LINES-READ                 PIC 9(6) VALUE 0.
       01  PAID-ORDERS                PIC 9(6) VALUE 0.
       01  OTHER-ORDERS               PIC 9(6) VALUE 0.
       01  STEP-CODE                  PIC 99 VALUE 0.
       PROCEDURE DIVISION.
       RECONCILE.
           MOVE SPACES TO PAYO-JOURNAL.
           PERFORM OPEN-CLIENT.
           MOVE 0 TO PAYO-SALE-COUNT.
           OPEN INPUT ORDERS.
           PERFORM READ-LINE UNTIL ORDERS-STATUS NOT = "00".
           IF ORDERS-STATUS NOT = "10" OR LINES-READ = 0
               DISPLAY "orders.txt cannot be read, or is empty: "
                   ORDERS-STATUS
               MOVE 16 TO STEP-CODE
           END-IF.
           CLOSE ORDERS.
           PERFORM COMPARE-ORDERS.
           DISPLAY PAID-ORDERS " paid, " OTHER-ORDERS " others".
           MOVE STEP-CODE TO RETURN-CODE.
           CALL "payorder_cobol_close" USING PAYO-CLIENT RETURN-CODE.
           STOP RUN.

       READ-LINE.
           READ ORDERS.
           IF ORDERS-STATUS = "00"
               ADD 1 TO LINES-READ
               IF LINE-AMOUNT NUMERIC AND LINE-AMOUNT > 0
                       AND LINE-REST = SPACES
                   ADD 1 TO PAYO-SALE-COUNT
                   MOVE PAYO-SALE-COUNT TO N
                   MOVE LINE-ORDER-ID TO PAYO-SALE-ORDER-ID(N)
                   MOVE LINE-AMOUNT TO PAYO-SALE-AMOUNT(N)
                   IF PAYO-SALE-COUNT = 100
                       PERFORM COMPARE-ORDERS
                   END-IF
               ELSE
                   DISPLAY "line " LINES-READ " is not an order"
                   ADD 1 TO OTHER-ORDERS
                   MOVE 16 TO STEP-CODE
               END-IF
           END-IF.

       COMPARE-ORDERS.
           CALL "payorder_cobol_get_statuses" USING PAYO-CLIENT
               PAYO-SALES PAYO-SUMMARY PAYO-ERROR.
           IF NOT PAYO-OK
               PERFORM SHOW-ERROR
               MOVE 16 TO STEP-CODE
           END-IF.
           PERFORM SHOW-ORDER VARYING N FROM 1 BY 1
               UNTIL N > PAYO-SALE-COUNT.
           MOVE 0 TO PAYO-SALE-COUNT.

       SHOW-ORDER.
           IF PAYO-SALE-PAID(N)
               ADD 1 TO PAID-ORDERS
               DISPLAY FUNCTION TRIM(PAYO-SALE-ORDER-ID(N)) " paid"
           ELSE
               ADD 1 TO OTHER-ORDERS
               IF PAYO-SALE-NOT-PAID(N)
                   MOVE FUNCTION MAX(STEP-CODE 4) TO STEP-CODE
               ELSE
                   MOVE FUNCTION MAX(STEP-CODE 12) TO STEP-CODE
               END-IF
               DISPLAY FUNCTION TRIM(PAYO-SALE-ORDER-ID(N))
                   " not as expected: "
                   FUNCTION TRIM(PAYO-SALE-BECAUSE(N)) " "
                   FUNCTION TRIM(PAYO-SALE-NAME(N)) " "
                   FUNCTION TRIM(PAYO-SALE-CAUSE(N))
           END-IF.

       COPY "open-client.cpy".
