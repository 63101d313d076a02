       *> payorder.cpy: all records of the payorder package for
       *> GnuCOBOL. See README.md.
       *>
       *> Each record is also a copybook of its own, also for the
       *> LOCAL-STORAGE and LINKAGE SECTION. No field has a VALUE:
       *> INITIALIZE a record before you fill it.
       *>
       *> The third decimal of an amount must be 0. The last character
       *> of a text that a program fills must be a space.
       COPY "payorder-client.cpy".
       COPY "payorder-order.cpy".
       COPY "payorder-error.cpy".
       COPY "payorder-status.cpy".
       COPY "payorder-summary.cpy".
       COPY "payorder-sales.cpy".
       COPY "payorder-entry.cpy".
