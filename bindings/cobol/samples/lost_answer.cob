      *> The response to Create Order is lost. Asking for the status
      *> tells whether the order exists.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. lost_answer.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       COPY "payorder.cpy".
       01  ORDER-NUMBER               PIC X(20).
       PROCEDURE DIVISION.
       SELL-IT.
           ACCEPT ORDER-NUMBER FROM ARGUMENT-VALUE.
           MOVE SPACES TO PAYO-JOURNAL.
           PERFORM OPEN-CLIENT.
           PERFORM FILL-ORDER.
           CALL "payorder_cobol_create_order" USING PAYO-CLIENT
               PAYO-ORDER PAYO-URL PAYO-STATUS PAYO-ERROR.
           DISPLAY FUNCTION TRIM(PAYO-NAME).
           EVALUATE TRUE
               WHEN PAYO-OK
                   DISPLAY "pay at " FUNCTION TRIM(PAYO-URL)
               WHEN PAYO-ORDER-EXISTS
                   DISPLAY "it may be another sale: ask a person"
                   MOVE 12 TO RETURN-CODE
               WHEN PAYO-UNKNOWN
                   PERFORM ASK
               WHEN OTHER
                   PERFORM SHOW-ERROR
                   MOVE 8 TO RETURN-CODE
           END-EVALUATE.
           CALL "payorder_cobol_close" USING PAYO-CLIENT RETURN-CODE.
           STOP RUN.

      *> Its checkout URL is lost, unless the unusable response had it.
      *> The next call overwrites it. Without the URL, a person decides
      *> whether to sell again.
       ASK.
           MOVE PAYO-CHECKOUT-URL TO PAYO-URL.
           CALL "payorder_cobol_get_status" USING PAYO-CLIENT
               PAYO-ORDER PAYO-STATUS PAYO-ERROR.
           IF PAYO-OK
               DISPLAY "the order exists: "
                   FUNCTION TRIM(PAYO-TRANSACTION-STATUS)
           ELSE
               DISPLAY "no status yet, ask again later: "
                   FUNCTION TRIM(PAYO-NAME)
           END-IF.
           IF PAYO-NOT-PAID AND PAYO-URL NOT = SPACES
               DISPLAY "pay at " FUNCTION TRIM(PAYO-URL)
               MOVE 0 TO RETURN-CODE
           ELSE
               MOVE 12 TO RETURN-CODE
           END-IF.

       COPY "open-client.cpy".
       COPY "fill-order.cpy".
