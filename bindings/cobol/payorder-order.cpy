       *> What a program fills to create an order. All fields are
       *> required. Texts are UTF-8. To ask for a status, the amount
       *> and the order's identifier are enough.
       01  PAYO-ORDER.
           05  PAYO-AMOUNT             PIC S9(15)V999 PACKED-DECIMAL.
           05  PAYO-MERCHANT-TXN-ID    PIC X(65).
           05  PAYO-ORDER-ID           PIC X(65).
           05  PAYO-PAY-MODE           PIC X(9).
           05  PAYO-MERCHANT-ID        PIC X(65).
           05  PAYO-PRODUCT-INFO       PIC X(257).
           05  PAYO-CUSTOMER-NAME      PIC X(257).
           05  PAYO-CUSTOMER-MOBILE    PIC X(33).
           05  PAYO-CUSTOMER-EMAIL     PIC X(257).
           05  PAYO-REDIRECTION-URL    PIC X(1025).
           05  PAYO-CURRENCY-CODE      PIC X(9).

       *> Where the customer pays.
       01  PAYO-URL                    PIC X(2049).
