*> The response to Create Order is lost. Asking for the status tells whether the order exists.
 IDENTIFICATION DIVISION.
 PROGRAM-ID. lost_answer.
 DATA DIVISION.
 WORKING-STORAGE SECTION.
 COPY "payorder.cpy".
 01  ORDER-NUMBER               PIC X(20).
 PROCEDURE DIVISION.
     ACCEPT ORDER-NUMBER FROM ARGUMENT-VALUE
     MOVE SPACES TO PAYO-JOURNAL
     CALL "payorder_cobol_open" USING PAYO-CLIENT PAYO-JOURNAL PAYO-LENGTHS PAYO-ERROR
     IF NOT PAYO-OK
         DISPLAY FUNCTION TRIM(PAYO-MESSAGE)
         STOP RUN RETURNING 1
     END-IF
     PERFORM FILL-ORDER
     CALL "payorder_cobol_create_order" USING PAYO-CLIENT PAYO-ORDER PAYO-URL PAYO-ERROR
     DISPLAY FUNCTION TRIM(PAYO-NAME)
     IF PAYO-UNKNOWN
         CALL "payorder_cobol_get_status" USING PAYO-CLIENT PAYO-ORDER PAYO-STATUS PAYO-ERROR
         IF PAYO-OK
*>           Its checkout URL is lost. If it is not paid, a person decides whether to sell again.
             DISPLAY "the order exists: " FUNCTION TRIM(PAYO-TRANSACTION-STATUS)
         ELSE
             DISPLAY "no status yet, ask again later: " FUNCTION TRIM(PAYO-NAME)
         END-IF
     END-IF
     CALL "payorder_cobol_close" USING PAYO-CLIENT
     STOP RUN.

 COPY "fill-order.cpy".
