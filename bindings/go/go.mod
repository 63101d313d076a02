module payorder.example/payorder

go 1.19
