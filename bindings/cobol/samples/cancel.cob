      *> A wait that the cashier cancels with F10, on a screen with one
      *> thread. The order's number is the first argument. Set
      *> COB_TIMEOUT_SCALE=1, so that ACCEPT counts tenths of seconds.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. till.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       COPY "payorder.cpy".
       01  ORDER-NUMBER               PIC X(20).
       01  PRICE                      PIC S9(7)V99 COMP-3.
       01  IDLE-FUNCTION              USAGE PROCEDURE-POINTER.
       01  SCREEN-TEXT                PIC X(70).
       PROCEDURE DIVISION.
       SELL-IT.
           ACCEPT ORDER-NUMBER FROM ARGUMENT-VALUE.
           MOVE SPACES TO PAYO-JOURNAL.
           PERFORM OPEN-CLIENT.
           PERFORM FILL-ORDER.
           CALL "payorder_cobol_create_order" USING PAYO-CLIENT
               PAYO-ORDER PRICE PAYO-URL PAYO-STATUS PAYO-ERROR.
           IF NOT PAYO-OK
               PERFORM SHOW-ERROR
      *>       What a person must look at may be another sale's.
               IF PAYO-CHECKOUT-URL NOT = SPACES
                       AND PAYO-ACTION NOT = "ask_person"
                   DISPLAY "if it is not paid, the page is "
                       FUNCTION TRIM(PAYO-CHECKOUT-URL)
               END-IF
               MOVE 8 TO RETURN-CODE
               IF PAYO-UNKNOWN OR PAYO-ORDER-EXISTS
                   MOVE 12 TO RETURN-CODE
               END-IF
               CALL "payorder_cobol_close" USING PAYO-CLIENT RETURN-CODE
               STOP RUN
           END-IF.
           DISPLAY "F10: cancel" LINE 1 COLUMN 1.
           DISPLAY "pay at " LINE 4 COLUMN 1.
           DISPLAY FUNCTION TRIM(PAYO-URL) LINE 4 COLUMN 8.
           SET IDLE-FUNCTION TO ENTRY "TILL-IDLE".
           CALL "payorder_cobol_set_idle" USING IDLE-FUNCTION.
           MOVE 20000 TO PAYO-WAIT-MS.
           CALL "payorder_cobol_wait" USING PAYO-CLIENT PAYO-ORDER
               PRICE PAYO-WAIT-MS PAYO-STATUS PAYO-ERROR.
           SET IDLE-FUNCTION TO NULL.
           CALL "payorder_cobol_set_idle" USING IDLE-FUNCTION.
      *> The last status before the end of the wait is there, too.
           EVALUATE TRUE
               WHEN PAYO-PAID
                   MOVE "paid" TO SCREEN-TEXT
                   MOVE 0 TO RETURN-CODE
               WHEN PAYO-CHECK
                   MOVE "a person must look at it" TO SCREEN-TEXT
                   MOVE 12 TO RETURN-CODE
               WHEN PAYO-CANCELLED AND PAYO-NOT-PAID
                   MOVE "cancelled; the customer can still pay"
                       TO SCREEN-TEXT
                   MOVE 4 TO RETURN-CODE
               WHEN PAYO-NOT-PAID
                   MOVE "not paid yet, the customer can still pay"
                       TO SCREEN-TEXT
                   MOVE 4 TO RETURN-CODE
               WHEN OTHER
                   MOVE "it is not known whether it is paid: ask again"
                       TO SCREEN-TEXT
                   MOVE 12 TO RETURN-CODE
           END-EVALUATE.
           DISPLAY SCREEN-TEXT LINE 2 COLUMN 1.
           CALL "payorder_cobol_close" USING PAYO-CLIENT RETURN-CODE.
           STOP RUN.

       COPY "open-client.cpy".
       COPY "fill-order.cpy".
       END PROGRAM till.

      *> Runs about every 50 ms while a call waits. Any RETURN-CODE but 0
      *> cancels the call.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. TILL-IDLE.
       ENVIRONMENT DIVISION.
       CONFIGURATION SECTION.
       SPECIAL-NAMES.
           CRT STATUS IS KEY-STATUS.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  KEY-STATUS                 PIC 9(4).
           88  CANCEL-PRESSED            VALUE 1010.
       01  ANY-KEY                    PIC X.
       PROCEDURE DIVISION.
       LOOK.
      *> Waits for a key, for at most a tenth of a second.
           ACCEPT ANY-KEY LINE 3 COLUMN 1 WITH AUTO NO-ECHO
               TIME-OUT 1.
           MOVE 0 TO RETURN-CODE.
           IF CANCEL-PRESSED
               MOVE 1 TO RETURN-CODE
           END-IF.
           GOBACK.
       END PROGRAM TILL-IDLE.
