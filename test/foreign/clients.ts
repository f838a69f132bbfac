/** A third-party client. */
export interface Client {
  readonly name: string;
  /** Debian packages, with the client's package first. Empty if npm installs the client. */
  readonly packages: readonly string[];
  readonly command: readonly string[];
  /** Whether the client supports HTTPS only. */
  readonly tls?: true | undefined;
  readonly environment?: Readonly<Record<string, string>> | undefined;
  /** Rows that fail because the client was written for older or newer servers, each with the reason. */
  readonly age: Readonly<Record<string, string>>;
}

export const clients: readonly Client[] = [
  {
    name: 'octokit.rb',
    packages: ['ruby-octokit'],
    command: ['/usr/bin/ruby', 'octokit.rb'],
    age: {
      'GET /repos/:owner/:repo/contents/:path: docs/a#b?.md':
        "the client doesn't encode paths in URLs, so `#` ends the path",
      'POST /setup/api/start':
        'the client was written for later appliances, which require only the license. The emulated appliance also requires the package',
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

/** Debian packages of the programs in `programs.mjs`. */
export const programs: readonly string[] = ['hub', 'ansible-core'];
