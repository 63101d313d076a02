*> A sale: create the order, show where to pay, wait, and look whether it is paid. The arguments are
*> the journal's file, the order's identifier, and its amount.
*> If the answer is lost, or the program was killed while it sent the order and runs again, it does
*> not send the order a second time: it asks for its status.
 IDENTIFICATION DIVISION.
 PROGRAM-ID. sale.
 DATA DIVISION.
 WORKING-STORAGE SECTION.
 COPY "payorder.cpy".
 01  ORDER-ID                   PIC X(40).
 01  PRICE                      PIC X(20).
 PROCEDURE DIVISION.
     ACCEPT PAYO-JOURNAL FROM ARGUMENT-VALUE
     ACCEPT ORDER-ID FROM ARGUMENT-VALUE
     ACCEPT PRICE FROM ARGUMENT-VALUE
     CALL "payorder_cobol_open" USING PAYO-CLIENT PAYO-JOURNAL PAYO-LENGTHS PAYO-ERROR
     IF NOT PAYO-OK
         PERFORM SHOW-ERROR
     END-IF
*>   What happened to the orders of the last run?
     CALL "payorder_cobol_resolve" USING PAYO-CLIENT PAYO-UNRESOLVED PAYO-ERROR
     DISPLAY "unresolved: " PAYO-UNRESOLVED
     MOVE 0 TO PAYO-ENTRY-NUMBER
     PERFORM WITH TEST AFTER UNTIL PAYO-ENTRY-NUMBER = 0 OR NOT PAYO-OK
         CALL "payorder_cobol_next_unresolved" USING PAYO-CLIENT PAYO-ENTRY PAYO-ERROR
         IF PAYO-OK AND PAYO-ENTRY-NUMBER > 0
             DISPLAY "may exist: " FUNCTION TRIM(PAYO-ENTRY-ORDER-ID)
         END-IF
     END-PERFORM

     PERFORM FILL-ORDER
     MOVE PRICE TO PAYO-AMOUNT
     CALL "payorder_cobol_create_order" USING PAYO-CLIENT PAYO-ORDER PAYO-URL PAYO-ERROR
     EVALUATE TRUE
         WHEN PAYO-OK
             DISPLAY "pay at " FUNCTION TRIM(PAYO-URL)
*>       Sent by the run that crashed. It is not sent again.
         WHEN PAYO-DUPLICATE AND PAYO-PREVIOUS-ORDER-ID = PAYO-ORDER-ID
                 AND PAYO-PREVIOUS-AMOUNT = PAYO-AMOUNT AND PAYO-PREVIOUS-STATE = "created"
                 AND PAYO-PREVIOUS-STATUS NOT = "Completed" AND PAYO-PREVIOUS-URL NOT = SPACES
             DISPLAY "pay at " FUNCTION TRIM(PAYO-PREVIOUS-URL)
         WHEN PAYO-UNKNOWN
             PERFORM ASK
         WHEN OTHER
             PERFORM SHOW-ERROR
     END-EVALUATE
     MOVE 20000 TO PAYO-WAIT-MS
     CALL "payorder_cobol_wait" USING PAYO-CLIENT PAYO-ORDER PAYO-WAIT-MS PAYO-STATUS PAYO-ERROR
     EVALUATE TRUE
         WHEN NOT PAYO-OK
             DISPLAY "it is not known whether the order is paid: ask again"
             PERFORM SHOW-ERROR
         WHEN PAYO-PAID = "Y"
             DISPLAY "paid"
         WHEN PAYO-TRANSACTION-STATUS = "Completed" OR PAYO-REFUND-STATUS NOT = SPACES
                 OR PAYO-REFUND-TYPE NOT = SPACES
             DISPLAY "a person must look at it: " FUNCTION TRIM(PAYO-NOT-PAID-BECAUSE)
         WHEN OTHER
             DISPLAY "not paid yet, the customer can still pay"
     END-EVALUATE
     CALL "payorder_cobol_close" USING PAYO-CLIENT
     STOP RUN.

*> The order may exist. It may be paid, or a person has closed it.
 ASK.
     DISPLAY "the order may exist: " FUNCTION TRIM(PAYO-NAME)
     IF PAYO-DUPLICATE
         DISPLAY "it is in the journal: " FUNCTION TRIM(PAYO-PREVIOUS-STATE)
     END-IF
     CALL "payorder_cobol_get_status" USING PAYO-CLIENT PAYO-ORDER PAYO-STATUS PAYO-ERROR
     IF NOT PAYO-OK
*>       Even "no such order" proves nothing: the service may not know it yet.
         DISPLAY "no status yet, ask again later"
         PERFORM SHOW-ERROR
     END-IF
*>   Its checkout URL is lost. If it is not paid, a person decides whether to sell again.
     DISPLAY "the order exists: " FUNCTION TRIM(PAYO-TRANSACTION-STATUS)
     CALL "payorder_cobol_close" USING PAYO-CLIENT
     STOP RUN RETURNING 1.

 SHOW-ERROR.
     DISPLAY FUNCTION TRIM(PAYO-NAME) ": " FUNCTION TRIM(PAYO-MESSAGE)
     CALL "payorder_cobol_close" USING PAYO-CLIENT
     STOP RUN RETURNING 1.

 COPY "fill-order.cpy".
