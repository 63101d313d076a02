      *> An order with the number in ORDER-NUMBER, and its price.
       FILL-ORDER.
           INITIALIZE PAYO-ORDER.
           MOVE 100.00 TO PRICE.
           STRING "T-" FUNCTION TRIM(ORDER-NUMBER)
               INTO PAYO-MERCHANT-TXN-ID.
           STRING "O-" FUNCTION TRIM(ORDER-NUMBER) INTO PAYO-ORDER-ID.
           MOVE "all" TO PAYO-PAY-MODE.
           MOVE "M-1" TO PAYO-MERCHANT-ID.
           MOVE "Two coffees" TO PAYO-PRODUCT-INFO.
           MOVE "आशा Rao" TO PAYO-CUSTOMER-NAME.
           MOVE "9000000000" TO PAYO-CUSTOMER-MOBILE.
           MOVE "asha@example.com" TO PAYO-CUSTOMER-EMAIL.
           MOVE "https://shop.example/return" TO PAYO-REDIRECTION-URL.
           MOVE "INR" TO PAYO-CURRENCY-CODE.
