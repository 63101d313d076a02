      *> A sale: create the order, show where to pay, wait, and look
      *> whether it is paid. The order's number is the first argument.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. sale.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       COPY "payorder.cpy".
       01  ORDER-NUMBER               PIC X(20).
       01  PRICE                      PIC S9(7)V99 COMP-3.
       PROCEDURE DIVISION.
       SELL-IT.
           ACCEPT ORDER-NUMBER FROM ARGUMENT-VALUE.
           MOVE SPACES TO PAYO-JOURNAL.
           PERFORM OPEN-CLIENT.
           PERFORM FILL-ORDER.
           CALL "payorder_cobol_create_order" USING PAYO-CLIENT
               PAYO-ORDER PRICE PAYO-URL PAYO-STATUS PAYO-ERROR.
           EVALUATE TRUE
               WHEN PAYO-OK
                   DISPLAY "pay at " FUNCTION TRIM(PAYO-URL)
                   PERFORM WAIT-FOR-PAYMENT
               WHEN PAYO-DUPLICATE AND PAYO-PREVIOUS-URL NOT = SPACES
                   DISPLAY "pay at " FUNCTION TRIM(PAYO-PREVIOUS-URL)
                   PERFORM WAIT-FOR-PAYMENT
               WHEN PAYO-ORDER-EXISTS
                   DISPLAY "it may be another sale: ask a person"
                   PERFORM SHOW-ERROR
                   MOVE 12 TO RETURN-CODE
               WHEN PAYO-UNKNOWN
                   PERFORM SHOW-ERROR
                   PERFORM ASK
               WHEN OTHER
                   PERFORM SHOW-ERROR
                   MOVE 8 TO RETURN-CODE
           END-EVALUATE.
           CALL "payorder_cobol_close" USING PAYO-CLIENT RETURN-CODE.
           STOP RUN.

      *> The answer to the order was lost. Its checkout URL is lost too,
      *> unless the unusable response had it. The next call overwrites
      *> it. Without the URL, a person decides whether to sell again.
       ASK.
           MOVE PAYO-CHECKOUT-URL TO PAYO-URL.
           CALL "payorder_cobol_get_status" USING PAYO-CLIENT
               PAYO-ORDER PRICE PAYO-STATUS PAYO-ERROR.
           IF PAYO-OK
               DISPLAY "the order exists: "
                   FUNCTION TRIM(PAYO-TRANSACTION-STATUS)
           ELSE
               DISPLAY "no status yet, ask again later: "
                   FUNCTION TRIM(PAYO-NAME)
           END-IF.
           IF PAYO-NOT-PAID AND PAYO-URL NOT = SPACES
               DISPLAY "pay at " FUNCTION TRIM(PAYO-URL)
               MOVE 4 TO RETURN-CODE
           ELSE
               MOVE 12 TO RETURN-CODE
           END-IF.

       WAIT-FOR-PAYMENT.
           MOVE 20000 TO PAYO-WAIT-MS.
           CALL "payorder_cobol_wait" USING PAYO-CLIENT PAYO-ORDER
               PRICE PAYO-WAIT-MS PAYO-STATUS PAYO-ERROR.
           EVALUATE TRUE
               WHEN PAYO-PAID
                   DISPLAY "paid"
                   MOVE 0 TO RETURN-CODE
               WHEN PAYO-NOT-PAID
                   DISPLAY "not paid yet, the customer can still pay"
                   MOVE 4 TO RETURN-CODE
               WHEN PAYO-CHECK
                   DISPLAY "a person must look at it: "
                       FUNCTION TRIM(PAYO-NOT-PAID-BECAUSE)
                   MOVE 12 TO RETURN-CODE
               WHEN OTHER
                   DISPLAY "it is not known whether the order is paid: "
                       "ask again"
                   PERFORM SHOW-ERROR
                   MOVE 12 TO RETURN-CODE
           END-EVALUATE.

       COPY "open-client.cpy".
       COPY "fill-order.cpy".
