      *> A price in any usage is sent as it is, or refused. ../test
      *> compiles it for several dialects. It prints nothing, because
      *> some of them print on a screen: RETURN-CODE is the number of
      *> the first check that failed.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. amounts.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       COPY "payorder.cpy".
       01  ORDER-NUMBER               PIC X(30).
       01  DIALECT                    PIC X(10).
       01  COUNTER                    PIC 9(4) VALUE 0.
       01  N                          PIC 99.
       01  I                          PIC 99.
       01  PRICE                      PIC S9(13)V99.
       01  PRICES.
           05  FILLER                 PIC S9(13)V99 VALUE 100.10.
           05  FILLER                 PIC S9(13)V99 VALUE 1.15.
           05  FILLER                 PIC S9(13)V99 VALUE 4.35.
           05  FILLER                 PIC S9(13)V99 VALUE
               1234567890123.45.
           05  FILLER                 PIC S9(13)V99 VALUE 0.
           05  FILLER                 PIC S9(13)V99 VALUE -100.00.
       01  FILLER REDEFINES PRICES.
           05  A-PRICE                PIC S9(13)V99 OCCURS 6.
       01  PRICE-TEXT                 PIC Z(12)9.99.
       01  SENT-TEXT                  PIC X(65).
       01  REFUSAL                    PIC X(9) VALUE "the price".
      *> Bytes with a wrong sign, half a byte that is no digit, 19
      *> digits, and those of other records: a MOVE of a group aligns
      *> nothing.
       01  BYTES.
           05  FILLER PIC X(10) VALUE X"00000000000001000009".
           05  FILLER PIC X(10) VALUE X"00000000000001000000".
           05  FILLER PIC X(10) VALUE X"0000000000000A00000C".
           05  FILLER PIC X(10) VALUE X"1000000000000100000C".
           05  FILLER PIC X(10) VALUE SPACES.
           05  FILLER PIC X(10) VALUE LOW-VALUES.
           05  FILLER PIC X(10) VALUE HIGH-VALUES.
       01  FILLER REDEFINES BYTES.
           05  SOME-BYTES             OCCURS 7.
               10  IN-BYTES           PIC S9(15)V999 COMP-3.
      *> A record of the shop, whose first field is the price.
       01  SHOP.
           05  SHOP-RECORD            PIC X(30).
           05  IN-DISPLAY REDEFINES SHOP-RECORD PIC S9(13)V99.
           05  IN-SEPARATE REDEFINES SHOP-RECORD PIC S9(13)V99
               SIGN LEADING SEPARATE.
           05  IN-COMP REDEFINES SHOP-RECORD PIC S9(13)V99 COMP.
           05  IN-SHORT REDEFINES SHOP-RECORD PIC S9(5)V99 COMP.
           05  IN-COMP-5 REDEFINES SHOP-RECORD PIC S9(13)V99 COMP-5.
           05  IN-COMP-3 REDEFINES SHOP-RECORD PIC S9(13)V99 COMP-3.
           05  IN-FOUR REDEFINES SHOP-RECORD PIC S9(13)V9(4) COMP-3.
           05  IN-EDITED REDEFINES SHOP-RECORD PIC -(13)9.99.
       01  IN-COMP-1                  COMP-1 VALUE 100.5.
       01  IN-COMP-2                  COMP-2 VALUE 100.5.
       01  PAISE                      PIC 9(9) COMP VALUE 10000.
       01  IN-THOUSANDS               PIC 9(5)PPP VALUE 10000.
       REPLACE ==SEND-FOR== BY
           ==CALL "payorder_cobol_create_order" USING PAYO-CLIENT
           PAYO-ORDER==
           ==AND-LOOK== BY ==PAYO-URL PAYO-STATUS PAYO-ERROR PERFORM==.
       PROCEDURE DIVISION.
       MAIN-PARAGRAPH.
           ACCEPT DIALECT FROM ARGUMENT-VALUE.
           MOVE SPACES TO PAYO-JOURNAL.
           CALL "payorder_cobol_open" USING PAYO-CLIENT PAYO-JOURNAL
               PAYO-ERROR.
           PERFORM TRY-PRICES VARYING N FROM 1 BY 1 UNTIL N > 6.
      *> What is not an exact number with decimals.
           MOVE "argument " TO REFUSAL.
           PERFORM FILL-ORDER.
           MOVE A-PRICE(1) TO IN-EDITED.
           SEND-FOR IN-EDITED AND-LOOK MUST-BE-REFUSED.
           SEND-FOR IN-COMP-1 AND-LOOK MUST-BE-REFUSED.
           SEND-FOR IN-COMP-2 AND-LOOK MUST-BE-REFUSED.
           SEND-FOR PAISE AND-LOOK MUST-BE-REFUSED.
           SEND-FOR IN-THOUSANDS AND-LOOK MUST-BE-REFUSED.
           SEND-FOR SHOP AND-LOOK MUST-BE-REFUSED.
           SEND-FOR SHOP-RECORD AND-LOOK MUST-BE-REFUSED.
           MOVE A-PRICE(1) TO IN-DISPLAY.
           SEND-FOR IN-DISPLAY(1:15) AND-LOOK MUST-BE-REFUSED.
      *> The digits of a number are checked in every USAGE.
           MOVE "the price" TO REFUSAL.
           MOVE SPACES TO SHOP-RECORD.
           SEND-FOR IN-DISPLAY AND-LOOK MUST-BE-REFUSED.
           SEND-FOR IN-COMP-3 AND-LOOK MUST-BE-REFUSED.
           MOVE LOW-VALUES TO SHOP-RECORD.
           SEND-FOR IN-SEPARATE AND-LOOK MUST-BE-REFUSED.
           SEND-FOR IN-COMP AND-LOOK MUST-BE-REFUSED.
           IF DIALECT NOT = "ibm" AND NOT = "mf"
               MOVE SPACES TO SHOP-RECORD
               SEND-FOR IN-SHORT AND-LOOK MUST-BE-REFUSED
           END-IF.
           MOVE 100.1050 TO IN-FOUR.
           SEND-FOR IN-FOUR AND-LOOK MUST-BE-REFUSED.
           PERFORM VARYING I FROM 1 BY 1 UNTIL I > 7
               SEND-FOR IN-BYTES(I) AND-LOOK MUST-BE-REFUSED
           END-PERFORM.
           CALL "payorder_cobol_close" USING PAYO-CLIENT RETURN-CODE.
           MOVE 0 TO RETURN-CODE.
           STOP RUN.

       TRY-PRICES.
           PERFORM FILL-ORDER.
           MOVE A-PRICE(N) TO IN-DISPLAY.
           SEND-FOR IN-DISPLAY AND-LOOK CHECK-PRICE.
           MOVE A-PRICE(N) TO IN-SEPARATE.
           SEND-FOR IN-SEPARATE AND-LOOK CHECK-PRICE.
           MOVE A-PRICE(N) TO IN-COMP.
           SEND-FOR IN-COMP AND-LOOK CHECK-PRICE.
           MOVE A-PRICE(N) TO IN-COMP-5.
           SEND-FOR IN-COMP-5 AND-LOOK CHECK-PRICE.
           MOVE A-PRICE(N) TO IN-COMP-3.
           SEND-FOR IN-COMP-3 AND-LOOK CHECK-PRICE.
           MOVE A-PRICE(N) TO IN-FOUR.
           SEND-FOR IN-FOUR AND-LOOK CHECK-PRICE.
           SEND-FOR BY CONTENT A-PRICE(N) BY REFERENCE
               AND-LOOK CHECK-PRICE.
           MOVE A-PRICE(N) TO IN-COMP-2.
           COMPUTE PRICE ROUNDED = IN-COMP-2.
           SEND-FOR PRICE AND-LOOK CHECK-PRICE.

       CHECK-PRICE.
           IF N < 5
               PERFORM MUST-BE-SENT
           ELSE
               PERFORM MUST-BE-REFUSED
           END-IF.

       MUST-BE-SENT.
           IF NOT PAYO-OK OR RETURN-CODE NOT = 0
               PERFORM FAILED
           END-IF.
           MOVE A-PRICE(N) TO PRICE.
           CALL "payorder_cobol_get_status" USING PAYO-CLIENT
               PAYO-ORDER PRICE PAYO-STATUS PAYO-ERROR.
           MOVE PRICE TO PRICE-TEXT.
           MOVE FUNCTION TRIM(PRICE-TEXT) TO SENT-TEXT.
           IF PAYO-STATUS-AMOUNT-TEXT NOT = SENT-TEXT
                   OR PAYO-STATUS-AMOUNT NOT = PRICE
                   OR NOT PAYO-NOT-PAID
               PERFORM FAILED
           END-IF.
           PERFORM FILL-ORDER.

       MUST-BE-REFUSED.
           IF NOT PAYO-NOT-SENT OR PAYO-RESULT NOT = 1
                   OR PAYO-MESSAGE(1:9) NOT = REFUSAL
               PERFORM FAILED
           END-IF.
           PERFORM FILL-ORDER.

       FILL-ORDER.
           ADD 1 TO COUNTER.
           INITIALIZE PAYO-ORDER REPLACING ALPHANUMERIC DATA BY "x".
           MOVE SPACES TO PAYO-ORDER-ID PAYO-MERCHANT-TXN-ID.
           STRING "A-" DELIMITED BY SIZE DIALECT DELIMITED BY SPACE
               "-" COUNTER DELIMITED BY SIZE INTO ORDER-NUMBER.
           MOVE ORDER-NUMBER TO PAYO-ORDER-ID PAYO-MERCHANT-TXN-ID.
           MOVE "all" TO PAYO-PAY-MODE.
           MOVE "https://shop.example/" TO PAYO-REDIRECTION-URL.

       FAILED.
           MOVE COUNTER TO RETURN-CODE.
           STOP RUN.
