*> A wait that the cashier cancels, on a screen with one thread.
*> The order's identifier is the first argument.
 IDENTIFICATION DIVISION.
 PROGRAM-ID. till.
 DATA DIVISION.
 WORKING-STORAGE SECTION.
 COPY "payorder.cpy".
 01  ORDER-ID                   PIC X(20).
 01  IDLE-FUNCTION              USAGE PROCEDURE-POINTER.
 01  NO-DATA                    USAGE POINTER VALUE NULL.
 PROCEDURE DIVISION.
     ACCEPT ORDER-ID FROM ARGUMENT-VALUE
     MOVE SPACES TO PAYO-JOURNAL
     CALL "payorder_cobol_open" USING PAYO-CLIENT PAYO-JOURNAL PAYO-LENGTHS PAYO-ERROR
     IF NOT PAYO-OK
         DISPLAY FUNCTION TRIM(PAYO-NAME) ": " FUNCTION TRIM(PAYO-MESSAGE)
         STOP RUN RETURNING 1
     END-IF
     PERFORM FILL-ORDER
     SET IDLE-FUNCTION TO ENTRY "TILL-IDLE"
     CALL "payorder_set_idle" USING BY VALUE IDLE-FUNCTION BY VALUE NO-DATA
     MOVE 20000 TO PAYO-WAIT-MS
     CALL "payorder_cobol_wait" USING PAYO-CLIENT PAYO-ORDER PAYO-WAIT-MS PAYO-STATUS PAYO-ERROR
     SET IDLE-FUNCTION TO NULL
     CALL "payorder_set_idle" USING BY VALUE IDLE-FUNCTION BY VALUE NO-DATA
     IF PAYO-NAME = "PAYORDER_CANCELLED" OR PAYO-NAME = "PAYORDER_CANCELLED_IN_FLIGHT"
         DISPLAY "cancelled; the customer can still pay"
     END-IF
     CALL "payorder_cobol_close" USING PAYO-CLIENT
     STOP RUN.

 COPY "fill-order.cpy".
 END PROGRAM till.

*> Runs about every 50 ms while a call waits. Any RETURN-CODE but 0 cancels the call.
 IDENTIFICATION DIVISION.
 PROGRAM-ID. TILL-IDLE.
 DATA DIVISION.
 WORKING-STORAGE SECTION.
 01  CANCEL-PRESSED             PIC X VALUE "N".
 PROCEDURE DIVISION.
*>   Repaint the screen and read the keyboard here. In this sample, the cashier presses Cancel.
     MOVE "Y" TO CANCEL-PRESSED
     MOVE 0 TO RETURN-CODE
     IF CANCEL-PRESSED = "Y"
         MOVE 1 TO RETURN-CODE
     END-IF
     GOBACK.
 END PROGRAM TILL-IDLE.
