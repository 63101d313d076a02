       *> The client: one for the whole program.
       01  PAYO-CLIENT                 USAGE POINTER.

       *> The path of the journal. Spaces: the setting's, or none.
       01  PAYO-JOURNAL                PIC X(257).
