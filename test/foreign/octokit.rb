# Sends each row that octokit.rb supports with the client's own methods.
# Reads one JSON request per line, and writes one JSON response per line.
require 'json'
require 'octokit'
require 'tempfile'

base = ENV.fetch('BASE')
Octokit.configure do |c|
  c.api_endpoint = "#{base}api/v3/"
  c.web_endpoint = base
  c.auto_paginate = false
end
$stderr = File.open(File::NULL, 'w') # Hides deprecation warnings.

def client(as)
  case as
  when 'user' then Octokit::Client.new(login: ENV['LOGIN'], password: ENV['PASSWORD'])
  when 'application'
    Octokit::Client.new(client_id: ENV['CLIENT_ID'], client_secret: ENV['CLIENT_SECRET'])
  else Octokit::Client.new(access_token: ENV['TOKEN'])
  end
end

def admin = Octokit::EnterpriseAdminClient.new(access_token: ENV['TOKEN'])

def console
  # The password option and the Basic authentication both need the MD5 hash of the license.
  endpoint = ENV['BASE'].sub('://', "://license:#{ENV['LICENSE_MD5']}@")
  Octokit::EnterpriseManagementConsoleClient.new(
    management_console_endpoint: endpoint, management_console_password: ENV['LICENSE_MD5']
  )
end

def repo(p) = "#{p[:owner]}/#{p[:repo]}"
def rest(p, *names) = p.reject { |name, _| %i[owner repo].include?(name) || names.include?(name) }
def file(text)
  made = Tempfile.new('license')
  made.write(text)
  made.close
  made.path
end

TOKENS = 'applications/%<client_id>s/tokens/%<access_token>s'
ROWS = {
  'GET /authorizations' => ->(c, p) { c.authorizations(p) },
  'GET /authorizations/:id' => ->(c, p) { c.authorization(p[:authorization_id]) },
  'POST /authorizations' => ->(c, p) { c.create_authorization(p) },
  'PUT /authorizations/clients/:client_id' => ->(c, p) { c.create_authorization(p.merge(idempotent: true)) },
  'PATCH /authorizations/:id' => ->(c, p) { c.update_authorization(p[:authorization_id], rest(p, :authorization_id)) },
  'DELETE /authorizations/:id' => ->(c, p) { c.delete_authorization(p[:authorization_id]) },
  # The client's methods for tokens use newer paths, so these rows use the generic methods.
  'GET /applications/:client_id/tokens/:access_token' => ->(c, p) { c.as_app { |a| a.get(format(TOKENS, p)) } },
  'POST /applications/:client_id/tokens/:access_token' => ->(c, p) { c.as_app { |a| a.post(format(TOKENS, p)) } },
  'DELETE /applications/:client_id/tokens/:access_token' => ->(c, p) { c.as_app { |a| a.delete(format(TOKENS, p)) } },
  'DELETE /applications/:client_id/tokens' => ->(c, p) { c.as_app { |a| a.delete("applications/#{p[:client_id]}/tokens") } },
  'POST /login/oauth/access_token' => ->(c, p) { c.exchange_code_for_token(p[:code], ENV['CLIENT_ID'], ENV['CLIENT_SECRET']) },
  'GET /orgs/:org/teams' => ->(c, p) { c.organization_teams(p[:org], rest(p, :org)) },
  'GET /teams/:id' => ->(c, p) { c.team(p[:team_id]) },
  'POST /orgs/:org/teams' => ->(c, p) { c.create_team(p[:org], rest(p, :org)) },
  'PATCH /teams/:id' => ->(c, p) { c.update_team(p[:team_id], rest(p, :team_id)) },
  'DELETE /teams/:id' => ->(c, p) { c.delete_team(p[:team_id]) },
  'GET /teams/:id/members' => ->(c, p) { c.team_members(p[:team_id], rest(p, :team_id)) },
  'GET /teams/:id/members/:username' => ->(c, p) { c.team_member?(p[:team_id], p[:username]) },
  'PUT /teams/:id/members/:username' => ->(c, p) { c.add_team_member(p[:team_id], p[:username]) },
  'DELETE /teams/:id/members/:username' => ->(c, p) { c.remove_team_member(p[:team_id], p[:username]) },
  'GET /teams/:id/repos' => ->(c, p) { c.team_repositories(p[:team_id]) },
  'GET /teams/:id/repos/:owner/:repo' => ->(c, p) { c.team_repository?(p[:team_id], repo(p)) },
  'PUT /teams/:id/repos/:org/:repo' => ->(c, p) { c.add_team_repository(p[:team_id], repo(p)) },
  'DELETE /teams/:id/repos/:owner/:repo' => ->(c, p) { c.remove_team_repository(p[:team_id], repo(p)) },
  'GET /user/teams' => ->(c, p) { c.user_teams(p) },
  'GET /repos/:owner/:repo/releases' => ->(c, p) { c.releases(repo(p), rest(p)) },
  'GET /repos/:owner/:repo/releases/:id' => ->(c, p) { c.release("#{ENV['BASE']}api/v3/repos/#{repo(p)}/releases/#{p[:release_id]}") },
  'POST /repos/:owner/:repo/releases' => ->(c, p) { c.create_release(repo(p), p[:tag_name], rest(p, :tag_name)) },
  'PATCH /repos/:owner/:repo/releases/:id' => ->(c, p) { c.update_release("#{ENV['BASE']}api/v3/repos/#{repo(p)}/releases/#{p[:release_id]}", rest(p, :release_id)) },
  'GET /repos/:owner/:repo/comments' => ->(c, p) { c.list_commit_comments(repo(p), rest(p)) },
  'GET /repos/:owner/:repo/commits/:ref/comments' => ->(c, p) { c.commit_comments(repo(p), p[:commit_sha], rest(p, :commit_sha)) },
  'POST /repos/:owner/:repo/commits/:sha/comments' => ->(c, p) { c.create_commit_comment(repo(p), p[:commit_sha], p[:body], p[:path], p[:line], p[:position]) },
  'GET /repos/:owner/:repo/comments/:id' => ->(c, p) { c.commit_comment(repo(p), p[:comment_id], p[:headers] ? { headers: p[:headers] } : {}) },
  'PATCH /repos/:owner/:repo/comments/:id' => ->(c, p) { c.update_commit_comment(repo(p), p[:comment_id], p[:body]) },
  'DELETE /repos/:owner/:repo/comments/:id' => ->(c, p) { c.delete_commit_comment(repo(p), p[:comment_id]) },
  'GET /repos/:owner/:repo/git/refs/:ref' => ->(c, p) { c.ref(repo(p), p[:namespace]) },
  'GET /repos/:owner/:repo/git/refs' => ->(c, p) { c.refs(repo(p), p[:namespace], per_page: p[:per_page]) },
  'POST /repos/:owner/:repo/git/refs' => ->(c, p) { c.create_ref(repo(p), p[:ref].sub('refs/', ''), p[:sha]) },
  'PATCH /repos/:owner/:repo/git/refs/:ref' => ->(c, p) { c.update_ref(repo(p), p[:ref], p[:sha], p[:force]) },
  'DELETE /repos/:owner/:repo/git/refs/:ref' => ->(c, p) { c.delete_ref(repo(p), p[:ref]) },
  'GET /repos/:owner/:repo/readme' => ->(c, p) { c.readme(repo(p)) },
  'GET /repos/:owner/:repo/contents/:path' => ->(c, p) { c.contents(repo(p), path: p[:path]) },
  'PUT /repos/:owner/:repo/contents/:path' => ->(c, p) { c.create_contents(repo(p), p[:path], p[:message], p[:content].unpack1('m')) },
  'PUT /repos/:owner/:repo/contents/:path (update)' => ->(c, p) { c.update_contents(repo(p), p[:path], p[:message], p[:sha], p[:content].unpack1('m'), committer: p[:committer]) },
  'DELETE /repos/:owner/:repo/contents/:path' => ->(c, p) { c.delete_contents(repo(p), p[:path], p[:message], p[:sha]) },
  'GET /repos/:owner/:repo/pages' => ->(c, p) { c.pages(repo(p)) },
  'GET /repos/:owner/:repo/pages/builds' => ->(c, p) { c.pages_builds(repo(p), rest(p)) },
  'GET /repos/:owner/:repo/pages/builds/latest' => ->(c, p) { c.latest_pages_build(repo(p)) },
  'GET /repos/:owner/:repo/pulls' => ->(c, p) { c.pulls(repo(p), rest(p)) },
  'GET /repos/:owner/:repo/pulls/:number' => ->(c, p) { c.pull(repo(p), p[:pull_number]) },
  'POST /repos/:owner/:repo/pulls' => ->(c, p) { c.create_pull_request(repo(p), p[:base], p[:head], p[:title]) },
  'PATCH /repos/:owner/:repo/pulls/:number' => ->(c, p) { c.update_pull_request(repo(p), p[:pull_number], title: p[:title]) },
  'GET /repos/:owner/:repo/pulls/:number/commits' => ->(c, p) { c.pull_commits(repo(p), p[:pull_number]) },
  'GET /repos/:owner/:repo/pulls/:number/files' => ->(c, p) { c.pull_files(repo(p), p[:pull_number]) },
  'GET /repos/:owner/:repo/pulls/:number/merge' => ->(c, p) { c.pull_merged?(repo(p), p[:pull_number]) },
  'PUT /repos/:owner/:repo/pulls/:number/merge' => ->(c, p) { c.merge_pull_request(repo(p), p[:pull_number]) },
  'GET /repos/:owner/:repo/hooks' => ->(c, p) { c.hooks(repo(p)) },
  'GET /repos/:owner/:repo/hooks/:id' => ->(c, p) { c.hook(repo(p), p[:hook_id]) },
  'POST /repos/:owner/:repo/hooks' => ->(c, p) { c.create_hook(repo(p), p[:name], p[:config], events: p[:events], active: p[:active]) },
  'PATCH /repos/:owner/:repo/hooks/:id' => ->(c, p) { c.edit_hook(repo(p), p[:hook_id], 'web', p[:config], rest(p, :hook_id, :config)) },
  'POST /repos/:owner/:repo/hooks/:id/tests' => ->(c, p) { c.test_hook(repo(p), p[:hook_id]) },
  'POST /repos/:owner/:repo/hooks/:id/pings' => ->(c, p) { c.ping_hook(repo(p), p[:hook_id]) },
  'DELETE /repos/:owner/:repo/hooks/:id' => ->(c, p) { c.remove_hook(repo(p), p[:hook_id]) },
  'GET /hooks' => ->(c, _) { c.available_hooks },
  'POST /hub' => ->(c, p) { c.subscribe(p[:topic], p[:callback], p[:secret]) },
  'GET /repos/:owner/:repo/stargazers' => ->(c, p) { c.stargazers(repo(p), rest(p)) },
  'GET /users/:username/starred' => ->(c, p) { c.starred(p[:username], rest(p, :username)) },
  'GET /user/starred' => ->(c, p) { c.get('user/starred', p) },
  'GET /user/starred/:owner/:repo' => ->(c, p) { c.starred?(repo(p)) },
  'PUT /user/starred/:owner/:repo' => ->(c, p) { c.star(repo(p)) },
  'DELETE /user/starred/:owner/:repo' => ->(c, p) { c.unstar(repo(p)) },
  'GET /repos/:owner/:repo/downloads' => ->(c, p) { c.downloads(repo(p)) },
  'GET /repos/:owner/:repo/downloads/:id' => ->(c, p) { c.download(repo(p), p[:download_id]) },
  'DELETE /repos/:owner/:repo/downloads/:id' => ->(c, p) { c.delete_download(repo(p), p[:download_id]) },
  'GET /enterprise/stats/:type' => ->(_, p) { admin.get("enterprise/stats/#{p[:type]}") },
  'GET /rate_limit' => ->(c, _) { c.get('rate_limit') },
  'POST /setup/api/start' => ->(_, p) { console.upload_license(file(p[:license])).status },
  'POST /setup/api/upgrade' => ->(_, p) { console.upgrade(file(p[:license])).status },
  'GET /setup/api/configcheck' => ->(_, _) { console.config_status },
  'POST /setup/api/configure' => ->(_, _) { console.start_configuration },
  'GET /setup/api/settings' => ->(_, _) { console.settings },
  'PUT /setup/api/settings' => ->(_, p) { console.edit_settings(JSON.parse(p[:settings])) },
  'GET /setup/api/maintenance' => ->(_, _) { console.maintenance_status },
  'POST /setup/api/maintenance' => ->(_, p) { console.set_maintenance_status(JSON.parse(p[:maintenance])) },
  'GET /setup/api/settings/authorized-keys' => ->(_, _) { console.authorized_keys },
  'POST /setup/api/settings/authorized-keys' => ->(_, p) { console.add_authorized_key(p[:authorized_key]) },
  'DELETE /setup/api/settings/authorized-keys' => ->(_, p) { console.remove_authorized_key(p[:authorized_key]) }
}.freeze

def plain(value)
  case value
  when Sawyer::Resource then plain(value.to_attrs)
  when Hash then value.transform_values { |each| plain(each) }
  when Array then value.map { |each| plain(each) }
  when Time then value.utc.strftime('%Y-%m-%dT%H:%M:%SZ')
  else value
  end
end

$stdout.sync = true
$stdin.each_line do |line|
  asked = JSON.parse(line, symbolize_names: true)
  call = ROWS[asked[:row]]
  answer =
    if call.nil? then { unknown: true }
    else
      begin
        { data: plain(call.call(client(asked[:as]), asked[:parameters])) }
      rescue StandardError => e
        { error: "#{e.class}: #{e.message}"[0, 300] }
      end
    end
  puts JSON.generate(answer)
end
