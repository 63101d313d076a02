      *> With the journal in PAYO-JOURNAL; spaces are the setting's.
       OPEN-CLIENT.
           CALL "payorder_cobol_open" USING PAYO-CLIENT PAYO-JOURNAL
               PAYO-ERROR.
           IF NOT PAYO-OK
               PERFORM SHOW-ERROR
               MOVE 16 TO RETURN-CODE
               STOP RUN
           END-IF.

       SHOW-ERROR.
           DISPLAY FUNCTION TRIM(PAYO-NAME) ": "
               FUNCTION TRIM(PAYO-MESSAGE).
