use Mojolicious::Lite -signatures;
use Mojo::JSON 'decode_json';
use Payorder;

my $client = Payorder->from_env;

# The call blocks a process of its own. What comes back from it are plain values.
get '/sale.php' => sub ($page) {
    my $id = $page->param('order');
    my %order = ( %{ decode_json( $ENV{ORDER} ) }, order_id => $id, merchant_txn_id => "T-$id" );
    $page->render_later;
    Mojo::IOLoop->subprocess->run_p(
        sub {
            my $checkout = eval { $client->create_order( \%order ) };
            return $checkout ? $checkout->url : ref $@;
        }
    )->then( sub ($said) { $page->render( text => $said ) } );
};
app->start;
