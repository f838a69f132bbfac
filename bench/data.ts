// Response bodies with objects of the same shape and size as the real service's.
const time = '2014-01-01T00:00:00Z';
const api = 'https://api.example.com';

function user(id: number) {
  const login = `user${id}`;
  const own = `${api}/users/${login}`;
  return {
    login,
    id,
    node_id: `MDQ6VXNlcjE=${id}`,
    avatar_url: `https://avatars.example.com/u/${id}?v=4`,
    gravatar_id: '',
    url: own,
    html_url: `https://example.com/${login}`,
    followers_url: `${own}/followers`,
    following_url: `${own}/following{/other_user}`,
    gists_url: `${own}/gists{/gist_id}`,
    starred_url: `${own}/starred{/owner}{/repo}`,
    subscriptions_url: `${own}/subscriptions`,
    organizations_url: `${own}/orgs`,
    repos_url: `${own}/repos`,
    events_url: `${own}/events{/privacy}`,
    received_events_url: `${own}/received_events`,
    type: 'User',
    site_admin: false,
  };
}

const links =
  'forks keys collaborators teams hooks issue_events events assignees branches tags blobs git_tags git_refs trees statuses languages stargazers contributors subscribers subscription commits git_commits comments issue_comment contents compare merges archive downloads issues pulls milestones notifications labels releases deployments';

function repository(id: number) {
  const url = `${api}/repos/acme/repo${id}`;
  return {
    id,
    node_id: `MDEwOlJlcG9zaXRvcnk=${id}`,
    name: `repo${id}`,
    full_name: `acme/repo${id}`,
    private: false,
    owner: user(id),
    html_url: `https://example.com/acme/repo${id}`,
    description: `A repository that does something number ${id}`,
    fork: false,
    url,
    ...Object.fromEntries(links.split(' ').map((name) => [`${name}_url`, `${url}/${name}{/x}`])),
    created_at: time,
    updated_at: time,
    pushed_at: time,
    git_url: 'git://example.com/x.git',
    ssh_url: 'git@example.com:x.git',
    clone_url: 'https://example.com/x.git',
    svn_url: 'https://example.com/x',
    homepage: null,
    size: 100,
    stargazers_count: 5,
    watchers_count: 5,
    language: 'C',
    has_issues: true,
    has_projects: true,
    has_downloads: true,
    has_wiki: true,
    has_pages: false,
    forks_count: 1,
    mirror_url: null,
    archived: false,
    open_issues_count: 0,
    forks: 1,
    open_issues: 0,
    watchers: 5,
    default_branch: 'main',
  };
}

function side(id: number, ref: string) {
  return {
    label: `acme:${ref}`,
    ref,
    sha: 'a'.repeat(40),
    user: user(id),
    repo: repository(id),
  };
}

function pull(id: number) {
  const page = `https://example.com/acme/repo/pull/${id}`;
  const url = `${api}/repos/acme/repo/pulls/${id}`;
  const link = { href: url };
  return {
    url,
    id,
    html_url: page,
    diff_url: `${page}.diff`,
    patch_url: `${page}.patch`,
    issue_url: `${api}/repos/acme/repo/issues/${id}`,
    number: id,
    state: 'open',
    locked: false,
    title: `Title ${id}`,
    user: user(id),
    body: 'Body of some length. '.repeat(10),
    created_at: time,
    updated_at: time,
    closed_at: null,
    merged_at: null,
    merge_commit_sha: null,
    assignee: null,
    milestone: null,
    commits_url: `${url}/commits`,
    review_comments_url: `${url}/comments`,
    review_comment_url: `${api}/repos/acme/repo/pulls/comments/{number}`,
    comments_url: `${api}/repos/acme/repo/issues/${id}/comments`,
    statuses_url: `${api}/repos/acme/repo/statuses/${'a'.repeat(40)}`,
    head: side(id, 'topic'),
    base: side(id, 'main'),
    _links: { self: link, html: link, issue: link, comments: link, review_comments: link },
  };
}

/** Number of items per page. */
const perPage = 100;

const hundred = (make: (id: number) => object): Buffer =>
  Buffer.from(JSON.stringify(Array.from({ length: perPage }, (_, index) => make(index + 1))));

/** Bodies by kind. Each body is created only once. */
export const bodies = {
  users: () => hundred(user),
  repos: () => hundred(repository),
  pulls: () => hundred(pull),
  small: () =>
    Buffer.from(
      JSON.stringify({
        url: `${api}/teams/1`,
        name: 'Owners',
        id: 1,
        slug: 'owners',
        permission: 'admin',
        members_count: 3,
        repos_count: 10,
      }),
    ),
};
