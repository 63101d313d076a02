      *> A till that may have been switched off in the middle of a sale.
      *> At its start it says of each sale whether it was paid, and it
      *> sends no order twice. The arguments are the order's number and
      *> the journal's file.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. restart.
       ENVIRONMENT DIVISION.
       INPUT-OUTPUT SECTION.
       FILE-CONTROL.
           SELECT OPTIONAL SALES-FILE ASSIGN TO DYNAMIC SALES-PATH
               ORGANIZATION LINE SEQUENTIAL
               FILE STATUS IS SALES-FILE-STATUS.
       DATA DIVISION.
       FILE SECTION.
       FD  SALES-FILE.
      *> The till's own records: its sales that are not finished. A till
      *> removes those whose goods were handed over.
       01  SALE-LINE.
           05  LINE-ORDER-ID          PIC X(64).
           05  LINE-AMOUNT            PIC 9(7)V99.
       WORKING-STORAGE SECTION.
       COPY "payorder-client.cpy".
       COPY "payorder-order.cpy".
       COPY "payorder-error.cpy".
       COPY "payorder-status.cpy".
       COPY "payorder-summary.cpy".
       COPY "payorder-sales.cpy" REPLACING ==100== BY ==1000==.
       01  ORDER-NUMBER               PIC X(20).
       01  PRICE                      PIC S9(7)V99 COMP-3.
       01  SALES-PATH                 PIC X(300).
       01  SALES-FILE-STATUS          PIC XX.
       01  NEW-LINE                   PIC X(73).
       01  LAST-LINE                  PIC X(73).
       01  N                          PIC 9(6).
       01  STEP-CODE                  PIC 99 VALUE 0.
       01  IN-FILE                    PIC X VALUE "N".
       01  TO-BE-SENT                 PIC X VALUE "Y".
       PROCEDURE DIVISION.
       START-TILL.
           ACCEPT ORDER-NUMBER FROM ARGUMENT-VALUE.
           ACCEPT PAYO-JOURNAL FROM ARGUMENT-VALUE.
           STRING FUNCTION TRIM(PAYO-JOURNAL) ".sales" INTO SALES-PATH.
           PERFORM OPEN-CLIENT.
           PERFORM FILL-ORDER.
           PERFORM READ-SALES.
           CALL "payorder_cobol_recover" USING PAYO-CLIENT PAYO-SALES
               PAYO-SUMMARY PAYO-ERROR.
           IF NOT PAYO-OK
               DISPLAY "nothing is known about the earlier sales"
               PERFORM SHOW-ERROR
               MOVE 16 TO RETURN-CODE
               STOP RUN
           END-IF.
           PERFORM SHOW-SALE VARYING N FROM 1 BY 1
               UNTIL N > PAYO-SALE-COUNT.
      *>   Of two or more, such as with wrong credentials.
           IF PAYO-REFUSAL NOT = SPACES
               DISPLAY "the service refuses every query: "
                   FUNCTION TRIM(PAYO-REFUSAL)
           END-IF.
           IF PAYO-OTHER-SERVICES > 0
               DISPLAY "open orders of other services: "
                   PAYO-OTHER-SERVICES
           END-IF.
           IF TO-BE-SENT = "Y"
               PERFORM SELL-IT
           END-IF.
           MOVE STEP-CODE TO RETURN-CODE.
           CALL "payorder_cobol_close" USING PAYO-CLIENT RETURN-CODE.
           STOP RUN.

       READ-SALES.
           MOVE 0 TO PAYO-SALE-COUNT.
           OPEN INPUT SALES-FILE.
      *> 05: there is no such file yet. 10: all was read.
           PERFORM UNTIL SALES-FILE-STATUS = "10"
               IF SALES-FILE-STATUS NOT = "00" AND NOT = "05"
                   DISPLAY "the sales cannot be read: "
                       SALES-FILE-STATUS
                   MOVE 16 TO RETURN-CODE
                   STOP RUN
               END-IF
               READ SALES-FILE
                   NOT AT END PERFORM TAKE-LINE
               END-READ
           END-PERFORM.
           CLOSE SALES-FILE.

       TAKE-LINE.
           MOVE SALE-LINE TO LAST-LINE.
           ADD 1 TO PAYO-SALE-COUNT.
           MOVE PAYO-SALE-COUNT TO N.
           IF N <= 1000
               MOVE LINE-ORDER-ID TO PAYO-SALE-ORDER-ID(N)
               MOVE LINE-AMOUNT TO PAYO-SALE-AMOUNT(N)
           END-IF.

       SHOW-SALE.
           EVALUATE TRUE
               WHEN PAYO-SALE-PAYABLE(N)
                   DISPLAY FUNCTION TRIM(PAYO-SALE-ORDER-ID(N))
                       " pay at " FUNCTION TRIM(PAYO-SALE-URL(N))
               WHEN PAYO-SALE-CHECK(N)
                   DISPLAY FUNCTION TRIM(PAYO-SALE-ORDER-ID(N))
                       " a person must look at it: "
                       FUNCTION TRIM(PAYO-SALE-BECAUSE(N))
                   MOVE 12 TO STEP-CODE
               WHEN OTHER
                   DISPLAY FUNCTION TRIM(PAYO-SALE-ORDER-ID(N)) " "
                       FUNCTION TRIM(PAYO-SALE-VERDICT(N)) " "
                       FUNCTION TRIM(PAYO-SALE-STATUS(N))
                       FUNCTION TRIM(PAYO-SALE-CAUSE(N))
           END-EVALUATE.
           IF PAYO-SALE-UNKNOWN(N) OR PAYO-SALE-URL-LOST(N)
                   OR PAYO-SALE-SENDING(N)
               MOVE 12 TO STEP-CODE
           END-IF.
      *> Is it the sale that this run was started for?
           IF PAYO-SALE-ORDER-ID(N) = PAYO-ORDER-ID
               MOVE "Y" TO IN-FILE
      *> After PAYO-SALE-NOT-IN-JOURNAL it may exist, if this journal
      *> was restored, replaced or pruned.
               IF NOT PAYO-SALE-NOT-IN-JOURNAL(N)
                       AND NOT PAYO-SALE-NOT-SENT(N)
                       AND NOT PAYO-SALE-REFUSED(N)
                   MOVE "N" TO TO-BE-SENT
               END-IF
      *>       The run that was killed, or another one that still waits.
               IF PAYO-SALE-SENDING(N)
                   CALL "payorder_cobol_get_status" USING PAYO-CLIENT
                       PAYO-ORDER PRICE PAYO-STATUS PAYO-ERROR
                   DISPLAY "the service says: "
                       FUNCTION TRIM(PAYO-TRANSACTION-STATUS)
                       FUNCTION TRIM(PAYO-CAUSE)
               END-IF
           END-IF.

      *> First into the till's own records, then to the service.
       SELL-IT.
      *> A record with an amount that cannot be sent would be unknown
      *> at each later start.
           IF PRICE < 1
               DISPLAY "the amount must be 1.00 or more"
               MOVE 8 TO RETURN-CODE
               STOP RUN
           END-IF.
           IF IN-FILE = "N"
               MOVE PAYO-ORDER-ID TO LINE-ORDER-ID
               MOVE PRICE TO LINE-AMOUNT
               MOVE SALE-LINE TO NEW-LINE
               OPEN EXTEND SALES-FILE
               WRITE SALE-LINE
               CLOSE SALES-FILE
      *>       00 also if the disk is full: read it again.
               IF SALES-FILE-STATUS = "00"
                   PERFORM READ-SALES
               END-IF
               IF SALES-FILE-STATUS NOT = "00"
                       OR LAST-LINE NOT = NEW-LINE
                   DISPLAY "the sale cannot be written: "
                       SALES-FILE-STATUS
                   MOVE 16 TO RETURN-CODE
                   STOP RUN
               END-IF
           END-IF.
           CALL "payorder_cobol_create_order" USING PAYO-CLIENT
               PAYO-ORDER PRICE PAYO-URL PAYO-STATUS PAYO-ERROR.
           EVALUATE TRUE
               WHEN PAYO-OK
                   DISPLAY "pay at " FUNCTION TRIM(PAYO-URL)
      *>       Another program sent it. Its page may be shown only if
      *>       the journal gives it.
               WHEN PAYO-DUPLICATE AND PAYO-PREVIOUS-URL NOT = SPACES
                   DISPLAY "pay at " FUNCTION TRIM(PAYO-PREVIOUS-URL)
               WHEN PAYO-UNKNOWN
                   DISPLAY "do now: " FUNCTION TRIM(PAYO-ACTION)
                   PERFORM SHOW-ERROR
      *>           What a person must look at may be another sale's.
                   IF PAYO-CHECKOUT-URL NOT = SPACES
                           AND PAYO-ACTION NOT = "ask_person"
                       DISPLAY "if it is not paid, the page is "
                           FUNCTION TRIM(PAYO-CHECKOUT-URL)
                   END-IF
                   MOVE 12 TO STEP-CODE
               WHEN OTHER
                   PERFORM SHOW-ERROR
                   MOVE FUNCTION MAX(STEP-CODE 8) TO STEP-CODE
           END-EVALUATE.

       COPY "open-client.cpy".
       COPY "fill-order.cpy".
