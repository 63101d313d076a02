*> A till with a journal. If it crashed while it sent an order, the next start finds the order.
*> The arguments are the order's number and the journal's file.
 IDENTIFICATION DIVISION.
 PROGRAM-ID. restart.
 DATA DIVISION.
 WORKING-STORAGE SECTION.
 COPY "payorder.cpy".
 01  ORDER-NUMBER               PIC X(20).
 PROCEDURE DIVISION.
     ACCEPT ORDER-NUMBER FROM ARGUMENT-VALUE
     ACCEPT PAYO-JOURNAL FROM ARGUMENT-VALUE
     CALL "payorder_cobol_open" USING PAYO-CLIENT PAYO-JOURNAL PAYO-LENGTHS PAYO-ERROR
     IF NOT PAYO-OK
         DISPLAY FUNCTION TRIM(PAYO-MESSAGE)
         STOP RUN RETURNING 1
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
     CALL "payorder_cobol_create_order" USING PAYO-CLIENT PAYO-ORDER PAYO-URL PAYO-ERROR
     EVALUATE TRUE
         WHEN PAYO-OK
             DISPLAY "pay at " FUNCTION TRIM(PAYO-URL)
*>       Sent by the run that crashed. It is not sent again.
         WHEN PAYO-DUPLICATE AND PAYO-PREVIOUS-ORDER-ID = PAYO-ORDER-ID
                 AND PAYO-PREVIOUS-AMOUNT = PAYO-AMOUNT AND PAYO-PREVIOUS-STATE = "created"
                 AND PAYO-PREVIOUS-STATUS NOT = "Completed" AND PAYO-PREVIOUS-URL NOT = SPACES
             DISPLAY "pay at " FUNCTION TRIM(PAYO-PREVIOUS-URL)
*>       It may be paid, or a person has closed it.
         WHEN PAYO-DUPLICATE
             DISPLAY FUNCTION TRIM(PAYO-PREVIOUS-STATE)
             CALL "payorder_cobol_get_status" USING PAYO-CLIENT PAYO-ORDER PAYO-STATUS PAYO-ERROR
             DISPLAY FUNCTION TRIM(PAYO-NAME) " " FUNCTION TRIM(PAYO-TRANSACTION-STATUS)
         WHEN OTHER
             DISPLAY FUNCTION TRIM(PAYO-NAME)
     END-EVALUATE
     CALL "payorder_cobol_close" USING PAYO-CLIENT
     STOP RUN.

 COPY "fill-order.cpy".
