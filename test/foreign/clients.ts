/** A client that nobody of us wrote. */
export interface Client {
  readonly name: string;
  /** Debian packages, the client itself first; none for one that npm installs. */
  readonly packages: readonly string[];
  readonly command: readonly string[];
  /** It speaks HTTPS only. */
  readonly tls?: true | undefined;
  readonly environment?: Readonly<Record<string, string>> | undefined;
  /** Rows that it can not have, and why: what it was made for came before or after. */
  readonly age: Readonly<Record<string, string>>;
}

export const clients: readonly Client[] = [
  {
    name: 'octokit.rb',
    packages: ['ruby-octokit'],
    command: ['/usr/bin/ruby', 'octokit.rb'],
    age: {
      'GET /repos/:owner/:repo/contents/:path: docs/a#b?.md':
        'it puts paths into addresses as they are, so that `#` ends them: names like this one are younger than it',
      'POST /setup/api/start':
        'it was made for later appliances, which get a license only; the contract wants the package too',
    },
  },
  {
    name: 'PyGithub',
    packages: ['python3-github'],
    command: ['/usr/bin/python3', 'pygithub.py'],
    age: {},
  },
  {
    name: 'go-github',
    packages: ['golang-github-google-go-github-dev', 'golang-go'],
    command: ['go', 'run', 'go/main.go'],
    environment: { GO111MODULE: 'off', GOPATH: '/usr/share/gocode', GOFLAGS: '' },
    age: {},
  },
  {
    name: 'Pithub',
    packages: ['libpithub-perl', 'libjson-maybexs-perl'],
    command: ['/usr/bin/perl', 'pithub.pl'],
    age: {},
  },
  {
    name: '@octokit/rest@16',
    packages: [],
    command: [process.execPath, '--import', 'tsx', 'octokit-rest.ts'],
    age: {},
  },
  {
    name: 'mechanize',
    packages: ['python3-mechanize'],
    command: ['/usr/bin/python3', 'mechanize-browser.py'],
    age: {},
  },
  {
    name: 'gh',
    packages: ['gh'],
    command: [process.execPath, '--import', 'tsx', 'gh.ts'],
    tls: true,
    age: {},
  },
  {
    name: 'ghub',
    packages: ['elpa-ghub', 'emacs-nox'],
    command: ['emacs', '--batch', '--load', 'ghub.el'],
    age: {},
  },
];
