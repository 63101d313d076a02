# Sourced by bindings/package and bindings/installed.
tools=(php composer)
export COMPOSER_ALLOW_SUPERUSER=1 COMPOSER_DISABLE_NETWORK=1 COMPOSER_NO_INTERACTION=1

make_package() {
    zip_package autoload.php composer.json generated payorder.cdef preload.php README.md samples src
}

install_package() {
    python3 -m zipfile -e "$artefacts"/payorder-php-*.zip .
    composer init --quiet --name shop/till
    composer config repositories.packagist.org false
    composer config repositories.payorder path "$(echo ./payorder-php-*)"
    composer require payorder/payorder:@dev
    beside=vendor/payorder/payorder
    # As the samples say.
    cp "$beside"/samples/*.php .
    sed -i "s|'/../autoload.php'|'/vendor/autoload.php'|" ./*.php
}

sample() {
    local name=$1
    shift
    case $name in
    sale) command=(php sale.php "$1" $amount "Two coffees") ;;
    lost_answer) command=(php lost_answer.php "$1" $amount sandbox:drop-after-commit) ;;
    restart) command=(php restart.php "$1" sell "$2" $amount sandbox:stall) ;;
    restart_again) command=(php restart.php "$1" ask) ;;
    *) command=(php "$name.php" "$@") ;;
    esac
}
