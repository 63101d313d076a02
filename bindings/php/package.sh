# Sourced by bindings/package and bindings/installed.
samples=(php .php)
tools=(php)
install_tools=(composer)
export COMPOSER_ALLOW_SUPERUSER=1 COMPOSER_DISABLE_NETWORK=1 COMPOSER_NO_INTERACTION=1

make_package() {
    copy "$folder" autoload.php generated preload.php README.md samples src types.php
    cp ../../include/payorder.cdef "$folder"
    # Composer needs the version of a package that comes from a file.
    sed "s/\"type\"/\"version\": \"$version\",\n    &/" composer.json >"$folder/composer.json"
    native "$folder/native/%"
    pack
}

install_package() {
    composer init --quiet --name shop/till
    composer config repositories.packagist.org false
    composer config repositories.payorder artifact "$artefacts"
    composer require payorder/payorder
    # As the samples say.
    cp vendor/payorder/payorder/samples/*.php .
    inside=$(echo vendor/payorder/payorder/native/*/*)
    sed -i "s|'/../autoload.php'|'/vendor/autoload.php'|" ./*.php
}
