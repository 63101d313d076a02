       *> payorder.cpy: all records of the payorder package for
       *> GnuCOBOL. See README.md.
       *>
       *> Each record is also a copybook of its own, also for the
       *> LOCAL-STORAGE and LINKAGE SECTION. No field has a VALUE:
       *> INITIALIZE a record before you fill it.
       *>
       *> Amounts are numbers with a third decimal, which must be 0: a
       *> MOVE of 100.099... or of bytes that are no amount is seen
       *> there, and refused before anything is sent.
       *>
       *> A text that a program fills has one character more than the
       *> longest value: its last character must be a space. A full
       *> field may have lost characters in a MOVE, so it is refused.
       *> Spaces at the end of a field are not part of the value.
       COPY "payorder-client.cpy".
       COPY "payorder-order.cpy".
       COPY "payorder-error.cpy".
       COPY "payorder-status.cpy".
       COPY "payorder-summary.cpy".
       COPY "payorder-sales.cpy".
       COPY "payorder-entry.cpy".
