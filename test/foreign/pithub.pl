# Sends each row that Pithub supports with the client's own methods.
# Reads one JSON request per line, and writes one JSON response per line.
use strict;
use warnings;
use JSON::MaybeXS qw(JSON);
use Pithub;

$| = 1;
my $json = JSON->new->utf8->canonical->allow_nonref;

sub pithub {
    my ($p) = @_;
    return Pithub->new(
        api_uri => "$ENV{BASE}api/v3/",
        token   => $ENV{TOKEN},
        ( $p->{per_page} ? ( per_page => $p->{per_page} ) : () ),
    );
}

sub place { my ($p) = @_; return ( user => $p->{owner}, repo => $p->{repo} ) }

sub only { my ( $p, @names ) = @_; return { map { $_ => $p->{$_} } grep { exists $p->{$_} } @names } }

my %rows = (
    'GET /orgs/:org/teams' => sub { $_[0]->orgs->teams->list( org => $_[1]{org} ) },
    'POST /orgs/:org/teams' => sub { $_[0]->orgs->teams->create( org => $_[1]{org}, data => only( $_[1], qw(name permission repo_names) ) ) },
    'GET /teams/:id' => sub { $_[0]->orgs->teams->get( team_id => $_[1]{team_id} ) },
    'PATCH /teams/:id' => sub { $_[0]->orgs->teams->update( team_id => $_[1]{team_id}, data => only( $_[1], qw(name permission) ) ) },
    'DELETE /teams/:id' => sub { $_[0]->orgs->teams->delete( team_id => $_[1]{team_id} ) },
    'GET /teams/:id/members' => sub { $_[0]->orgs->teams->list_members( team_id => $_[1]{team_id} ) },
    'GET /teams/:id/members/:username' => sub { $_[0]->orgs->teams->is_member( team_id => $_[1]{team_id}, user => $_[1]{username} ) },
    'PUT /teams/:id/members/:username' => sub { $_[0]->orgs->teams->add_member( team_id => $_[1]{team_id}, user => $_[1]{username} ) },
    'DELETE /teams/:id/members/:username' => sub { $_[0]->orgs->teams->remove_member( team_id => $_[1]{team_id}, user => $_[1]{username} ) },
    'GET /teams/:id/repos' => sub { $_[0]->orgs->teams->list_repos( team_id => $_[1]{team_id} ) },
    'GET /repos/:owner/:repo/releases' => sub { $_[0]->repos->releases->list( place( $_[1] ) ) },
    'GET /repos/:owner/:repo/releases/:id' => sub { $_[0]->repos->releases->get( place( $_[1] ), release_id => $_[1]{release_id} ) },
    'POST /repos/:owner/:repo/releases' => sub { $_[0]->repos->releases->create( place( $_[1] ), data => only( $_[1], qw(tag_name name body draft) ) ) },
    'PATCH /repos/:owner/:repo/releases/:id' => sub { $_[0]->repos->releases->update( place( $_[1] ), release_id => $_[1]{release_id}, data => only( $_[1], 'draft' ) ) },
    'DELETE /repos/:owner/:repo/releases/:id' => sub { $_[0]->repos->releases->delete( place( $_[1] ), release_id => $_[1]{release_id} ) },
    'GET /repos/:owner/:repo/comments' => sub { $_[0]->repos->commits->list_comments( place( $_[1] ) ) },
    'GET /repos/:owner/:repo/commits/:ref/comments' => sub { $_[0]->repos->commits->list_comments( place( $_[1] ), sha => $_[1]{commit_sha} ) },
    'POST /repos/:owner/:repo/commits/:sha/comments' => sub { $_[0]->repos->commits->create_comment( place( $_[1] ), sha => $_[1]{commit_sha}, data => only( $_[1], qw(body path position line) ) ) },
    'GET /repos/:owner/:repo/comments/:id' => sub { $_[0]->repos->commits->get_comment( place( $_[1] ), comment_id => $_[1]{comment_id} ) },
    'PATCH /repos/:owner/:repo/comments/:id' => sub { $_[0]->repos->commits->update_comment( place( $_[1] ), comment_id => $_[1]{comment_id}, data => only( $_[1], 'body' ) ) },
    'DELETE /repos/:owner/:repo/comments/:id' => sub { $_[0]->repos->commits->delete_comment( place( $_[1] ), comment_id => $_[1]{comment_id} ) },
    'GET /repos/:owner/:repo/git/refs/:ref' => sub { $_[0]->git_data->references->get( place( $_[1] ), ref => $_[1]{namespace} ) },
    'GET /repos/:owner/:repo/git/refs' => sub { $_[0]->git_data->references->list( place( $_[1] ), ( $_[1]{namespace} ? ( ref => $_[1]{namespace} ) : () ) ) },
    'POST /repos/:owner/:repo/git/refs' => sub { $_[0]->git_data->references->create( place( $_[1] ), data => only( $_[1], qw(ref sha) ) ) },
    'PATCH /repos/:owner/:repo/git/refs/:ref' => sub { $_[0]->git_data->references->update( place( $_[1] ), ref => $_[1]{ref}, data => only( $_[1], qw(sha force) ) ) },
    'GET /repos/:owner/:repo/readme' => sub { $_[0]->repos->contents( place( $_[1] ) )->readme },
    'GET /repos/:owner/:repo/contents/:path' => sub { $_[0]->repos->contents( place( $_[1] ) )->get( path => $_[1]{path} ) },
    'GET /repos/:owner/:repo/pulls' => sub { $_[0]->pull_requests->list( place( $_[1] ), params => only( $_[1], 'state' ) ) },
    'GET /repos/:owner/:repo/pulls/:number' => sub { $_[0]->pull_requests->get( place( $_[1] ), pull_request_id => $_[1]{pull_number} ) },
    'POST /repos/:owner/:repo/pulls' => sub { $_[0]->pull_requests->create( place( $_[1] ), data => only( $_[1], qw(title head base) ) ) },
    'PATCH /repos/:owner/:repo/pulls/:number' => sub { $_[0]->pull_requests->update( place( $_[1] ), pull_request_id => $_[1]{pull_number}, data => only( $_[1], 'title' ) ) },
    'GET /repos/:owner/:repo/pulls/:number/commits' => sub { $_[0]->pull_requests->commits( place( $_[1] ), pull_request_id => $_[1]{pull_number} ) },
    'GET /repos/:owner/:repo/pulls/:number/files' => sub { $_[0]->pull_requests->files( place( $_[1] ), pull_request_id => $_[1]{pull_number} ) },
    'GET /repos/:owner/:repo/pulls/:number/merge' => sub { $_[0]->pull_requests->is_merged( place( $_[1] ), pull_request_id => $_[1]{pull_number} ) },
    'PUT /repos/:owner/:repo/pulls/:number/merge' => sub { $_[0]->pull_requests->merge( place( $_[1] ), pull_request_id => $_[1]{pull_number} ) },
    'GET /repos/:owner/:repo/hooks' => sub { $_[0]->repos->hooks->list( place( $_[1] ) ) },
    'GET /repos/:owner/:repo/hooks/:id' => sub { $_[0]->repos->hooks->get( place( $_[1] ), hook_id => $_[1]{hook_id} ) },
    'POST /repos/:owner/:repo/hooks' => sub { $_[0]->repos->hooks->create( place( $_[1] ), data => only( $_[1], qw(name config events active) ) ) },
    'PATCH /repos/:owner/:repo/hooks/:id' => sub { $_[0]->repos->hooks->update( place( $_[1] ), hook_id => $_[1]{hook_id}, data => only( $_[1], qw(config add_events remove_events active) ) ) },
    'DELETE /repos/:owner/:repo/hooks/:id' => sub { $_[0]->repos->hooks->delete( place( $_[1] ), hook_id => $_[1]{hook_id} ) },
    'GET /repos/:owner/:repo/stargazers' => sub { $_[0]->repos->starring->list( place( $_[1] ) ) },
    'GET /user/starred' => sub { $_[0]->repos->starring->list_repos },
    'GET /user/starred/:owner/:repo' => sub { $_[0]->repos->starring->has_starred( place( $_[1] ) ) },
    'PUT /user/starred/:owner/:repo' => sub { $_[0]->repos->starring->star( place( $_[1] ) ) },
    'DELETE /user/starred/:owner/:repo' => sub { $_[0]->repos->starring->unstar( place( $_[1] ) ) },
    'GET /repos/:owner/:repo/downloads' => sub { $_[0]->repos->downloads->list( place( $_[1] ) ) },
    'GET /repos/:owner/:repo/downloads/:id' => sub { $_[0]->repos->downloads->get( place( $_[1] ), download_id => $_[1]{download_id} ) },
    'DELETE /repos/:owner/:repo/downloads/:id' => sub { $_[0]->repos->downloads->delete( place( $_[1] ), download_id => $_[1]{download_id} ) },
);

while ( my $line = <STDIN> ) {
    my $asked = $json->decode($line);
    my $call  = $rows{ $asked->{row} };
    my $p     = $asked->{parameters};
    my $answer = eval {
        return { unknown => JSON->true } if !$call || $p->{headers};
        my $result = $call->( pithub($p), $p );
        return { error => $result->code . ' ' . ( $result->response->message // '' ) } if !$result->success;
        return { data => $result->code == 204 ? JSON->true : $result->content };
    } || { error => substr( "$@", 0, 300 ) };
    print $json->encode($answer), "\n";
}
