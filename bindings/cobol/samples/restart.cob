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
     ACCEPT PO-JOURNAL FROM ARGUMENT-VALUE
     CALL "payorder_cobol_open" USING PO-CLIENT PO-JOURNAL PO-LENGTHS PO-ERROR
     IF NOT PO-OK
         DISPLAY FUNCTION TRIM(PO-MESSAGE)
         STOP RUN RETURNING 1
     END-IF
*>   What happened to the orders of the last run?
     CALL "payorder_cobol_resolve" USING PO-CLIENT PO-UNRESOLVED PO-ERROR
     DISPLAY "unresolved: " PO-UNRESOLVED
     MOVE 0 TO PO-ENTRY-NUMBER
     PERFORM WITH TEST AFTER UNTIL PO-ENTRY-NUMBER = 0 OR NOT PO-OK
         CALL "payorder_cobol_next_unresolved" USING PO-CLIENT PO-ENTRY PO-ERROR
         IF PO-OK AND PO-ENTRY-NUMBER > 0
             DISPLAY "may exist: " FUNCTION TRIM(PO-ENTRY-ORDER-ID)
         END-IF
     END-PERFORM
     PERFORM FILL-ORDER
     CALL "payorder_cobol_create_order" USING PO-CLIENT PO-ORDER PO-URL PO-ERROR
     EVALUATE TRUE
         WHEN PO-OK
             DISPLAY "pay at " FUNCTION TRIM(PO-URL)
*>       Sent by the run that crashed. It is not sent again.
         WHEN PO-DUPLICATE AND PO-PREVIOUS-ORDER-ID = PO-ORDER-ID
                 AND PO-PREVIOUS-AMOUNT = PO-AMOUNT AND PO-PREVIOUS-STATE = "created"
                 AND PO-PREVIOUS-STATUS NOT = "Completed" AND PO-PREVIOUS-URL NOT = SPACES
             DISPLAY "pay at " FUNCTION TRIM(PO-PREVIOUS-URL)
*>       It may be paid, or a person has closed it.
         WHEN PO-DUPLICATE
             DISPLAY FUNCTION TRIM(PO-PREVIOUS-STATE)
             CALL "payorder_cobol_get_status" USING PO-CLIENT PO-ORDER PO-STATUS PO-ERROR
             DISPLAY FUNCTION TRIM(PO-NAME) " " FUNCTION TRIM(PO-TRANSACTION-STATUS)
         WHEN OTHER
             DISPLAY FUNCTION TRIM(PO-NAME)
     END-EVALUATE
     CALL "payorder_cobol_close" USING PO-CLIENT
     STOP RUN.

 COPY "fill-order.cpy".
