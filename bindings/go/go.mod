module payorder

go 1.19
