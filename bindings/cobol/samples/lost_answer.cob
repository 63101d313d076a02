*> The response to Create Order is lost. Asking for the status tells whether the order exists.
 IDENTIFICATION DIVISION.
 PROGRAM-ID. lost_answer.
 DATA DIVISION.
 WORKING-STORAGE SECTION.
 COPY "payorder.cpy".
 01  ORDER-NUMBER               PIC X(20).
 PROCEDURE DIVISION.
     ACCEPT ORDER-NUMBER FROM ARGUMENT-VALUE
     MOVE SPACES TO PO-JOURNAL
     CALL "payorder_cobol_open" USING PO-CLIENT PO-JOURNAL PO-LENGTHS PO-ERROR
     IF NOT PO-OK
         DISPLAY FUNCTION TRIM(PO-MESSAGE)
         STOP RUN RETURNING 1
     END-IF
     PERFORM FILL-ORDER
     CALL "payorder_cobol_create_order" USING PO-CLIENT PO-ORDER PO-URL PO-ERROR
     DISPLAY FUNCTION TRIM(PO-NAME)
     IF PO-UNKNOWN
         CALL "payorder_cobol_get_status" USING PO-CLIENT PO-ORDER PO-STATUS PO-ERROR
         IF PO-OK
*>           Its checkout URL is lost. If it is not paid, a person decides whether to sell again.
             DISPLAY "the order exists: " FUNCTION TRIM(PO-TRANSACTION-STATUS)
         ELSE
             DISPLAY "no status yet, ask again later: " FUNCTION TRIM(PO-NAME)
         END-IF
     END-IF
     CALL "payorder_cobol_close" USING PO-CLIENT
     STOP RUN.

 COPY "fill-order.cpy".
