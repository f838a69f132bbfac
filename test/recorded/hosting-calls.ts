import { text } from 'node:stream/consumers';
import type {
  AdminStatsScope,
  CreateGitRef,
  GitRefName,
  HookEvent,
  HookSettings,
} from '../../src/hosting/index.js';
import type { HostingClient } from '../../src/index.js';
import { basic } from '../contract/case.js';
import type { Recording } from './recordings.js';

type Params = Readonly<Record<string, string>>;

/** Fields of recorded bodies. The operation determines which are set. */
export interface RecordedBody {
  readonly active: boolean;
  readonly body: string;
  readonly config: HookSettings;
  readonly events: readonly string[];
  readonly force: boolean;
  readonly name: string;
  readonly note: string;
  readonly path: string;
  readonly ref: string;
  readonly scopes: readonly string[];
  readonly sha: string;
  readonly tag_name: string;
}

/** Repeats a recorded request with the client method of its operation. */
type Send = (
  client: HostingClient,
  params: Params,
  body: RecordedBody,
  recording: Recording,
) => PromiseLike<unknown>;

const repoOf = ({ owner = '', repo = '' }: Params) => ({ owner, repo });
const oneOf = (params: Params) => ({ ...repoOf(params), id: Number(params.id) });
const idOf = ({ id }: Params) => ({ id: Number(id) });
const memberOf = (params: Params) => ({ ...idOf(params), username: params.username ?? '' });
const refOf = (params: Params) => ({
  ...repoOf(params),
  // `as`: the recorded references are branches and tags.
  ref: (params.ref ?? `${params.namespace}/${params.name}`) as GitRefName,
});
// `as`: the recorded events are known.
const eventsOf = (events: readonly string[] | undefined) =>
  events as readonly HookEvent[] | undefined;
const fileOf = ({ path = '', ...params }: Params) => ({ ...repoOf(params), path });
// The response doesn't depend on the content, and old clients sent Base64 with line breaks.
const written = { message: 'm', content: { text: 'h' } };

/** Client method of each recorded hosting operation. */
export const hostingCalls: Readonly<Record<string, Send>> = {
  // `as`: the recorded types are in the contract. Any other type fails the test.
  'adminStats.get': (c, { type }) => c.adminStats.get({ type: type as AdminStatsScope }),
  'authorizations.create': (c, _params, { note, scopes }) =>
    c.authorizations.create({ note, scopes }, { auth: basic }),
  'commitComments.create': (c, params, { body, path }) =>
    c.commitComments.create({ ...repoOf(params), sha: params.sha ?? '', body, path }),
  'commitComments.delete': (c, params) => c.commitComments.delete(oneOf(params)),
  'commitComments.get': (c, params) => c.commitComments.get(oneOf(params)),
  'commitComments.listForCommit': (c, params) =>
    c.commitComments.listForCommit(refOf(params)).toArray(),
  'commitComments.listForRepo': (c, params) => c.commitComments.list(repoOf(params)).toArray(),
  'commitComments.update': (c, params, { body }) =>
    c.commitComments.update({ ...oneOf(params), body }),
  'contents.create': (c, params) => c.contents.create({ ...fileOf(params), ...written }),
  'contents.get': async (c, params, _body, { json }) =>
    json === true
      ? await c.contents.get(fileOf(params))
      : await text(await c.contents.getRaw(fileOf(params))),
  'contents.readme': (c, params) => c.contents.getReadme(repoOf(params)),
  'contents.update': (c, params, { sha }) =>
    c.contents.update({ ...fileOf(params), ...written, sha }),
  'downloads.get': (c, params) => c.downloads.get(oneOf(params)),
  'downloads.list': (c, params) => c.downloads.list(repoOf(params)).toArray(),
  'hooks.create': (c, params, { name, config, events, active }) =>
    c.hooks.create({ ...repoOf(params), name, config, events: eventsOf(events), active }),
  'hooks.delete': (c, params) => c.hooks.delete(oneOf(params)),
  'hooks.get': (c, params) => c.hooks.get(oneOf(params)),
  'hooks.list': (c, params) => c.hooks.list(repoOf(params)).toArray(),
  'hooks.ping': (c, params) => c.hooks.ping(oneOf(params)),
  'hooks.services': (c) => c.hooks.listServices().toArray(),
  'hooks.test': (c, params) => c.hooks.test(oneOf(params)),
  'hooks.update': (c, params, { config, events, active }) =>
    c.hooks.update({ ...oneOf(params), config, events: eventsOf(events), active }),
  'pages.builds.latest': (c, params) => c.pages.getLatestBuild(repoOf(params)),
  'pages.builds.list': (c, params) => c.pages.listBuilds(repoOf(params)).toArray(),
  'pages.get': (c, params) => c.pages.get(repoOf(params)),
  'pulls.get': (c, params) => c.pulls.get({ ...repoOf(params), number: Number(params.number) }),
  'pulls.list': (c, params) => c.pulls.list(repoOf(params)).toArray(),
  'refs.create': (c, params, { ref, sha }) =>
    c.gitRefs.create({ ...repoOf(params), ref: ref as CreateGitRef['ref'], sha }),
  'refs.delete': (c, params) => c.gitRefs.delete(refOf(params)),
  'refs.get': (c, params) => c.gitRefs.get(refOf(params)),
  'refs.list': (c, params) =>
    c.gitRefs.list({ ...repoOf(params), namespace: params.namespace }).toArray(),
  'refs.update': (c, params, { sha, force }) => c.gitRefs.update({ ...refOf(params), sha, force }),
  'releases.create': (c, params, { tag_name }) =>
    c.releases.create({ ...repoOf(params), tag_name }),
  'releases.get': (c, params) => c.releases.get(oneOf(params)),
  'releases.list': (c, params) => c.releases.list(repoOf(params)).toArray(),
  'releases.update': (c, params) => c.releases.update(oneOf(params)),
  'stars.check': (c, params) => c.starring.isStarred(repoOf(params)),
  'stars.listForUser': (c, { username = '' }) => c.starring.listStarredBy({ username }).toArray(),
  'stars.listMine': (c) => c.starring.listStarred().toArray(),
  'stars.star': (c, params) => c.starring.star(repoOf(params)),
  'stars.stargazers': (c, params) => c.starring.listStargazers(repoOf(params)).toArray(),
  'stars.unstar': (c, params) => c.starring.unstar(repoOf(params)),
  'teams.create': (c, { org = '' }, { name }) => c.teams.create({ org, name }),
  'teams.delete': (c, params) => c.teams.delete(idOf(params)),
  'teams.get': (c, params) => c.teams.get(idOf(params)),
  'teams.list': (c, { org = '' }) => c.teams.list({ org }).toArray(),
  'teams.listMine': (c) => c.teams.listMine().toArray(),
  'teams.members.add': (c, params) => c.teams.addMember(memberOf(params)),
  'teams.members.check': (c, params) => c.teams.isMember(memberOf(params)),
  'teams.members.list': (c, params) => c.teams.listMembers(idOf(params)).toArray(),
  'teams.members.remove': (c, params) => c.teams.removeMember(memberOf(params)),
  'teams.repos.add': (c, { org = '', repo = '', ...params }) =>
    c.teams.addRepo({ ...idOf(params), org, repo }),
  'teams.repos.check': (c, params) => c.teams.hasRepo({ ...idOf(params), ...repoOf(params) }),
  'teams.repos.list': (c, params) => c.teams.listRepos(idOf(params)).toArray(),
  'teams.repos.remove': (c, params) => c.teams.removeRepo({ ...idOf(params), ...repoOf(params) }),
  'teams.update': (c, params, { name }) => c.teams.update({ ...idOf(params), name }),
};
