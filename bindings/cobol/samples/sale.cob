*> A sale: create the order, show where to pay, wait, and look whether it is paid.
*> The order's number is the first argument.
 IDENTIFICATION DIVISION.
 PROGRAM-ID. sale.
 DATA DIVISION.
 WORKING-STORAGE SECTION.
 COPY "payorder.cpy".
 01  ORDER-NUMBER               PIC X(20).
 PROCEDURE DIVISION.
     ACCEPT ORDER-NUMBER FROM ARGUMENT-VALUE
     MOVE SPACES TO PAYO-JOURNAL
     CALL "payorder_cobol_open" USING PAYO-CLIENT PAYO-JOURNAL PAYO-LENGTHS PAYO-ERROR
     IF NOT PAYO-OK
         PERFORM SHOW-ERROR
     END-IF
     PERFORM FILL-ORDER
     CALL "payorder_cobol_create_order" USING PAYO-CLIENT PAYO-ORDER PAYO-URL PAYO-ERROR
     EVALUATE TRUE
         WHEN PAYO-OK
             DISPLAY "pay at " FUNCTION TRIM(PAYO-URL)
         WHEN PAYO-UNKNOWN
             DISPLAY "the order may exist: ask for its status before anything else"
             PERFORM SHOW-ERROR
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

 SHOW-ERROR.
     DISPLAY FUNCTION TRIM(PAYO-NAME) ": " FUNCTION TRIM(PAYO-MESSAGE)
     CALL "payorder_cobol_close" USING PAYO-CLIENT
     STOP RUN RETURNING 1.

 COPY "fill-order.cpy".
