#!/usr/bin/env bash
# A right till in bash, with curl. Secrets reach curl on its stdin, because everybody can read the
# arguments of a process.
set -u
cd "$SALE_FOLDER" || exit 1
whole=${SALE_SECONDS%.*}
end=$((SECONDS + whole * 3 / 4))

verdict() {
    printf '{"verdict":"%s"}\n' "$1"
    exit 0
}

json() {
    local text=${1//\\/\\\\}
    printf '"%s"' "${text//\"/\\\"}"
}

# The value of a text in the answer.
field() {
    sed -n "s/.*\"$1\":\"\([^\"]*\)\".*/\1/p" "answer.$$"
}

# PATH BODY: prints the HTTP status. The headers with credentials are on stdin.
post() {
    : >"answer.$$"
    curl --silent --noproxy '*' --max-time $((whole * 2 / 5)) --config - \
        ${PAYORDER_CA_FILE:+--cacert "$PAYORDER_CA_FILE"} \
        --header 'Content-Type: application/json' --data-binary "$2" \
        --output "answer.$$" --write-out '%{http_code}' "$PAYORDER_BASE_URL/api/v1/Gateway/$1"
}

# Both say 200, and the answer has its end.
is_success() {
    [ "$1" = 200 ] && [ "$(field responseCode)" = 200 ] && grep -q '}}$' "answer.$$"
}

create() {
    local order
    order="{\"amount\":$(json "$SALE_AMOUNT"),\"merchantTxnId\":$(json "$SALE_ORDER_ID")"
    order+=",\"orderId\":$(json "$SALE_ORDER_ID"),\"payMode\":\"all\""
    order+=",\"merchantId\":$(json "$SALE_MERCHANT_ID"),\"productInfo\":$(json "$SALE_PRODUCT")"
    order+=",\"customerName\":$(json "$SALE_CUSTOMER_NAME")"
    order+=",\"customerMobile\":$(json "$SALE_CUSTOMER_MOBILE")"
    order+=",\"customerEmail\":$(json "$SALE_CUSTOMER_EMAIL")"
    order+=",\"redirectionURL\":$(json "$SALE_RETURN_URL")"
    order+=",\"currencyCode\":$(json "$SALE_CURRENCY")}"
    echo sending >ledger
    sync ledger
    local code failed
    code=$(printf 'header = "ACCESS-TOKEN: %s"\n' "$PAYORDER_ACCESS_TOKEN" |
        post CreateOrder "$order")
    failed=$?
    case $failed in
    0) ;;
    6 | 7 | 35 | 60) # no name, no connection, no valid certificate
        rm ledger
        verdict not_sent
        ;;
    *) return ;;
    esac
    if is_success "$code" && [[ $(field url) =~ ^https?://[^[:space:]]+$ ]]; then
        field url >ledger.new
        mv ledger.new ledger
    elif [ "$code" = 409 ]; then
        echo "another till's" >ledger
    elif [[ $code =~ ^(200|400|401|422|429)$ && $(field responseCode) =~ ^(400|401|422|429)$ ]] &&
        [ -z "$(field url)" ]; then
        echo rejected >ledger
    fi
}

is_paid() {
    local code
    code=$(printf 'header = "X-CLIENT-KEY: %s"\nheader = "X-CLIENT-ID: %s"\nheader = "X-SECRET-KEY: %s"\n' \
        "$PAYORDER_CLIENT_KEY" "$PAYORDER_CLIENT_ID" "$PAYORDER_SECRET_KEY" |
        post GetStatus "{\"searchType\":\"1\",\"orderId\":$(json "$SALE_ORDER_ID")}") || return 1
    if [ "$code" = 429 ]; then
        sleep 1
    fi
    is_success "$code" && [ "$(field orderId)" = "$SALE_ORDER_ID" ] &&
        [ "$(field transactionStatus)" = Completed ] && [ "$(field amount)" = "$SALE_AMOUNT" ] &&
        grep -q '"refundStatus":""' "answer.$$" && grep -q '"refundType":""' "answer.$$"
}

trap 'rm -f "answer.$$"' EXIT
exec 9>lock
flock 9
[ -e ledger ] || create
flock -u 9
known=$(head -n 1 ledger)
case $known in
rejected) verdict rejected ;;
"another till's") verdict open ;;
http*) echo "please pay at $known" ;;
esac
while ! is_paid; do
    [[ $known == http* ]] && ((SECONDS < end)) || verdict open
    sleep 0.5
done
verdict paid
