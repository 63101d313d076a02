*> At night: compare all orders of the day with the service. The file orders.txt has an order in
*> each line: the identifier in columns 1 to 20, the amount from column 21.
 IDENTIFICATION DIVISION.
 PROGRAM-ID. reconciliation.
 ENVIRONMENT DIVISION.
 INPUT-OUTPUT SECTION.
 FILE-CONTROL.
     SELECT ORDERS ASSIGN TO "orders.txt" ORGANIZATION LINE SEQUENTIAL.
 DATA DIVISION.
 FILE SECTION.
 FD  ORDERS.
 01  ORDER-LINE.
     05  LINE-ORDER-ID          PIC X(20).
     05  LINE-AMOUNT            PIC X(20).
 WORKING-STORAGE SECTION.
 COPY "payorder.cpy".
 01  AT-END-OF-FILE             PIC X VALUE "N".
 01  PAID-ORDERS                PIC 9(6) VALUE 0.
 01  OTHER-ORDERS               PIC 9(6) VALUE 0.
 PROCEDURE DIVISION.
     MOVE SPACES TO PO-JOURNAL
     CALL "payorder_cobol_open" USING PO-CLIENT PO-JOURNAL PO-LENGTHS PO-ERROR
     IF NOT PO-OK
         DISPLAY FUNCTION TRIM(PO-MESSAGE)
         STOP RUN RETURNING 1
     END-IF
     OPEN INPUT ORDERS
     PERFORM UNTIL AT-END-OF-FILE = "Y"
         READ ORDERS
             AT END MOVE "Y" TO AT-END-OF-FILE
             NOT AT END PERFORM COMPARE-ORDER
         END-READ
     END-PERFORM
     CLOSE ORDERS
     DISPLAY PAID-ORDERS " paid, " OTHER-ORDERS " others"
     CALL "payorder_cobol_close" USING PO-CLIENT
     STOP RUN.

 COMPARE-ORDER.
     MOVE SPACES TO PO-ORDER
     MOVE LINE-ORDER-ID TO PO-ORDER-ID
     MOVE LINE-AMOUNT TO PO-AMOUNT
     CALL "payorder_cobol_get_status" USING PO-CLIENT PO-ORDER PO-STATUS PO-ERROR
     EVALUATE TRUE
         WHEN NOT PO-OK
             ADD 1 TO OTHER-ORDERS
             DISPLAY FUNCTION TRIM(PO-ORDER-ID) " " FUNCTION TRIM(PO-NAME)
         WHEN PO-PAID = "Y"
             ADD 1 TO PAID-ORDERS
             DISPLAY FUNCTION TRIM(PO-ORDER-ID) " paid"
         WHEN OTHER
             ADD 1 TO OTHER-ORDERS
             DISPLAY FUNCTION TRIM(PO-ORDER-ID) " not as expected: "
                 FUNCTION TRIM(PO-NOT-PAID-BECAUSE)
     END-EVALUATE.
