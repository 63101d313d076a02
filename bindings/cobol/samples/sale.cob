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
     MOVE SPACES TO PO-JOURNAL
     CALL "payorder_cobol_open" USING PO-CLIENT PO-JOURNAL PO-LENGTHS PO-ERROR
     IF NOT PO-OK
         PERFORM SHOW-ERROR
     END-IF
     PERFORM FILL-ORDER
     CALL "payorder_cobol_create_order" USING PO-CLIENT PO-ORDER PO-URL PO-ERROR
     EVALUATE TRUE
         WHEN PO-OK
             DISPLAY "pay at " FUNCTION TRIM(PO-URL)
         WHEN PO-UNKNOWN
             DISPLAY "the order may exist: ask for its status before anything else"
             PERFORM SHOW-ERROR
         WHEN OTHER
             PERFORM SHOW-ERROR
     END-EVALUATE
     MOVE 20000 TO PO-WAIT-MS
     CALL "payorder_cobol_wait" USING PO-CLIENT PO-ORDER PO-WAIT-MS PO-STATUS PO-ERROR
     EVALUATE TRUE
         WHEN NOT PO-OK
             DISPLAY "it is not known whether the order is paid: ask again"
             PERFORM SHOW-ERROR
         WHEN PO-PAID = "Y"
             DISPLAY "paid"
         WHEN PO-TRANSACTION-STATUS = "Completed" OR PO-REFUND-STATUS NOT = SPACES
             DISPLAY "a person must look at it: " FUNCTION TRIM(PO-NOT-PAID-BECAUSE)
         WHEN OTHER
             DISPLAY "not paid yet, the customer can still pay"
     END-EVALUATE
     CALL "payorder_cobol_close" USING PO-CLIENT
     STOP RUN.

 SHOW-ERROR.
     DISPLAY FUNCTION TRIM(PO-NAME) ": " FUNCTION TRIM(PO-MESSAGE)
     CALL "payorder_cobol_close" USING PO-CLIENT
     STOP RUN RETURNING 1.

 COPY "fill-order.cpy".
