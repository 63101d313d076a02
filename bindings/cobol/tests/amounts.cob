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
      *> Bytes with a wrong sign, half a byte that is no digit, 19
      *> digits, and those of other records: a MOVE of a group aligns
      *> nothing.
       01  BYTES.
           05  FILLER PIC X(10) VALUE X"0000000000000100000F".
           05  FILLER PIC X(10) VALUE X"00000000000001000000".
           05  FILLER PIC X(10) VALUE X"0000000000000A00000C".
           05  FILLER PIC X(10) VALUE X"1000000000000100000C".
           05  FILLER PIC X(10) VALUE SPACES.
           05  FILLER PIC X(10) VALUE LOW-VALUES.
           05  FILLER PIC X(10) VALUE HIGH-VALUES.
       01  FILLER REDEFINES BYTES.
           05  SOME-BYTES             PIC X(10) OCCURS 7.
      *> A record of the shop, whose first field is the price.
       01  SHOP.
           05  SHOP-RECORD            PIC X(30).
           05  IN-DISPLAY REDEFINES SHOP-RECORD PIC S9(13)V99.
           05  IN-SEPARATE REDEFINES SHOP-RECORD PIC S9(13)V99
               SIGN LEADING SEPARATE.
           05  IN-COMP REDEFINES SHOP-RECORD PIC S9(13)V99 COMP.
           05  IN-COMP-5 REDEFINES SHOP-RECORD PIC S9(13)V99 COMP-5.
           05  IN-COMP-3 REDEFINES SHOP-RECORD PIC S9(13)V99 COMP-3.
           05  IN-EDITED REDEFINES SHOP-RECORD PIC -(13)9.99.
       01  IN-COMP-2                  COMP-2.
       PROCEDURE DIVISION.
       MAIN-PARAGRAPH.
           ACCEPT DIALECT FROM ARGUMENT-VALUE.
           MOVE SPACES TO PAYO-JOURNAL.
           CALL "payorder_cobol_open" USING PAYO-CLIENT PAYO-JOURNAL
               PAYO-ERROR.
           PERFORM FILL-ORDER.
           MOVE ALL "L" TO SHOP-RECORD.
           PERFORM MOVE-PRICES VARYING N FROM 1 BY 1 UNTIL N > 6.
      *> Binary fractions: a MOVE cuts 100.10 to 100.099, which is
      *> refused. ROUNDED gives the price.
           MOVE 100.10 TO IN-COMP-2.
           MOVE 1 TO N.
           MOVE IN-COMP-2 TO PAYO-AMOUNT.
           PERFORM MUST-BE-REFUSED.
           COMPUTE PAYO-AMOUNT ROUNDED = IN-COMP-2.
           PERFORM MUST-BE-SENT.
      *> A MOVE of these texts leaves out commas and spaces.
           MOVE "100.10" TO SENT-TEXT.
           PERFORM READ-TEXT.
           PERFORM MUST-BE-SENT.
           MOVE "100,10" TO SENT-TEXT.
           PERFORM READ-TEXT.
           PERFORM MUST-BE-REFUSED.
           MOVE "100 10" TO SENT-TEXT.
           PERFORM READ-TEXT.
           PERFORM MUST-BE-REFUSED.
           MOVE "1,001.00" TO SENT-TEXT.
           PERFORM READ-TEXT.
           PERFORM MUST-BE-REFUSED.
           PERFORM VARYING I FROM 1 BY 1 UNTIL I > 7
               MOVE SOME-BYTES(I) TO PAYO-ORDER(1:10)
               PERFORM MUST-BE-REFUSED
           END-PERFORM.
           CALL "payorder_cobol_close" USING PAYO-CLIENT RETURN-CODE.
           MOVE 0 TO RETURN-CODE.
           STOP RUN.

       READ-TEXT.
           MOVE 0 TO PAYO-AMOUNT.
           IF FUNCTION TEST-NUMVAL(SENT-TEXT) = 0
               MOVE FUNCTION NUMVAL(SENT-TEXT) TO PAYO-AMOUNT
           END-IF.

       MOVE-PRICES.
           MOVE A-PRICE(N) TO IN-DISPLAY.
           MOVE IN-DISPLAY TO PAYO-AMOUNT.
           PERFORM CHECK-AMOUNT.
           MOVE A-PRICE(N) TO IN-SEPARATE.
           MOVE IN-SEPARATE TO PAYO-AMOUNT.
           PERFORM CHECK-AMOUNT.
           MOVE A-PRICE(N) TO IN-COMP.
           MOVE IN-COMP TO PAYO-AMOUNT.
           PERFORM CHECK-AMOUNT.
           MOVE A-PRICE(N) TO IN-COMP-5.
           MOVE IN-COMP-5 TO PAYO-AMOUNT.
           PERFORM CHECK-AMOUNT.
           MOVE A-PRICE(N) TO IN-COMP-3.
           MOVE IN-COMP-3 TO PAYO-AMOUNT.
           PERFORM CHECK-AMOUNT.
           MOVE A-PRICE(N) TO IN-EDITED.
           MOVE IN-EDITED TO PAYO-AMOUNT.
           PERFORM CHECK-AMOUNT.
           MOVE A-PRICE(N) TO IN-COMP-2.
           COMPUTE PAYO-AMOUNT ROUNDED = IN-COMP-2.
           PERFORM CHECK-AMOUNT.

      *> The same record as a group is always refused.
       CHECK-AMOUNT.
           IF N < 5
               PERFORM MUST-BE-SENT
           ELSE
               PERFORM MUST-BE-REFUSED
           END-IF.
           MOVE SHOP-RECORD TO PAYO-ORDER.
           PERFORM MUST-BE-REFUSED.
           MOVE ALL "L" TO SHOP-RECORD.

       MUST-BE-SENT.
           ADD 1 TO COUNTER.
           MOVE A-PRICE(N) TO PRICE.
           IF PAYO-AMOUNT NOT = PRICE
               PERFORM FAILED
           END-IF.
           PERFORM FILL-ORDER.
           CALL "payorder_cobol_create_order" USING PAYO-CLIENT
               PAYO-ORDER PAYO-URL PAYO-STATUS PAYO-ERROR.
           IF NOT PAYO-OK OR RETURN-CODE NOT = 0
               PERFORM FAILED
           END-IF.
           CALL "payorder_cobol_get_status" USING PAYO-CLIENT
               PAYO-ORDER PAYO-STATUS PAYO-ERROR.
           MOVE PRICE TO PRICE-TEXT.
           MOVE FUNCTION TRIM(PRICE-TEXT) TO SENT-TEXT.
           IF PAYO-STATUS-AMOUNT-TEXT NOT = SENT-TEXT
                   OR PAYO-STATUS-AMOUNT NOT = PRICE
                   OR NOT PAYO-NOT-PAID
               PERFORM FAILED
           END-IF.

       MUST-BE-REFUSED.
           ADD 1 TO COUNTER.
           CALL "payorder_cobol_create_order" USING PAYO-CLIENT
               PAYO-ORDER PAYO-URL PAYO-STATUS PAYO-ERROR.
           IF NOT PAYO-NOT-SENT OR PAYO-RESULT NOT = 1
                   OR PAYO-MESSAGE(1:11) NOT = "PAYO-AMOUNT"
               PERFORM FAILED
           END-IF.
           PERFORM FILL-ORDER.

       FILL-ORDER.
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
