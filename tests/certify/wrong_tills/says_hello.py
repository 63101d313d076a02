# mistake: it creates no order
# caught by: paid-is-verified in paid
print("hello")
