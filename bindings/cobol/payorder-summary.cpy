       *> What a call about many orders counted; -1: it did not count.
       01  PAYO-SUMMARY.
       *>   Y if it was cancelled: it did not ask about all.
           05  PAYO-STOPPED-FLAG       PIC X.
               88  PAYO-STOPPED        VALUE "Y".
       *>   How many queries were sent, and how they ended.
           05  PAYO-ASKED              PIC S9(9) PACKED-DECIMAL.
           05  PAYO-ANSWERED           PIC S9(9) PACKED-DECIMAL.
           05  PAYO-REFUSED            PIC S9(9) PACKED-DECIMAL.
           05  PAYO-UNCLEAR            PIC S9(9) PACKED-DECIMAL.
           05  PAYO-NOT-ASKED          PIC S9(9) PACKED-DECIMAL.
       *>   Of resolve: the entries of this service that may exist.
           05  PAYO-UNRESOLVED         PIC S9(9) PACKED-DECIMAL.
       *>   Of resolve and recover: those of services with another
       *>   address, which were not asked about.
           05  PAYO-OTHER-SERVICES     PIC S9(9) PACKED-DECIMAL.
       *>   Of prune: the removed entries.
           05  PAYO-REMOVED            PIC S9(9) PACKED-DECIMAL.
       *>   Of resolve and recover: the service's words, if it refused
       *>   every query of two or more. They say why nothing is known.
           05  PAYO-REFUSAL            PIC X(400).

       *> Days, for payorder_cobol_prune.
       01  PAYO-DAYS                   PIC S9(9) PACKED-DECIMAL.
