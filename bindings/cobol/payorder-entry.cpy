       *> What is in the journal for one order.
       01  PAYO-ENTRY.
       *>   Which entries: open (also spaces), unresolved, all, or a
       *>   state.
           05  PAYO-ENTRY-WHICH        PIC X(20).
       *>   The next entry after this number is read; begin with 0.
           05  PAYO-ENTRY-NUMBER       PIC S9(18) PACKED-DECIMAL.
       *>   For payorder_cobol_settle: why a person closed it.
           05  PAYO-ENTRY-NOTE         PIC X(201).
       *>   Spaces: the journal could not be read.
           05  PAYO-ENTRY-FOUND-FLAG   PIC X.
               88  PAYO-ENTRY-FOUND    VALUE "Y".
               88  PAYO-NO-MORE-ENTRIES VALUE "N".
           05  PAYO-ENTRY-ORDER-ID     PIC X(65).
           05  PAYO-ENTRY-MERCHANT-TXN-ID PIC X(65).
       *>   -1 if the text is not a number that fits.
           05  PAYO-ENTRY-AMOUNT       PIC S9(15)V999 PACKED-DECIMAL.
           05  PAYO-ENTRY-AMOUNT-TEXT  PIC X(65).
           05  PAYO-ENTRY-STATE        PIC X(20).
               88  PAYO-ENTRY-SENDING  VALUE "sending".
               88  PAYO-ENTRY-CREATED  VALUE "created".
               88  PAYO-ENTRY-REJECTED VALUE "rejected".
               88  PAYO-ENTRY-NOT-SENT VALUE "not_sent".
               88  PAYO-ENTRY-UNKNOWN  VALUE "unknown".
               88  PAYO-ENTRY-SETTLED  VALUE "settled".
           05  PAYO-ENTRY-STATUS       PIC X(65).
       *>   The address of the service that it was sent to.
           05  PAYO-ENTRY-SERVICE      PIC X(257).
       *>   UTC, such as 2026-11-21T14:05:06.789Z.
           05  PAYO-ENTRY-STARTED-AT   PIC X(25).
