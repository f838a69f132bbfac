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

/** Fields of recorded bodies. The operation determines which fields are set. */
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

/** Repeats a recorded request with the operation's client method. */
type Send = (
  client: HostingClient,
  params: Params,
  body: RecordedBody,
  recording: Recording,
) => PromiseLike<unknown>;

const getRepo = ({ owner = '', repo = '' }: Params) => ({ owner, repo });
const getOne = (params: Params) => ({ ...getRepo(params), id: Number(params.id) });
const getId = ({ id }: Params) => ({ id: Number(id) });
const getMember = (params: Params) => ({ ...getId(params), username: params.username ?? '' });
const getRef = (params: Params) => ({
  ...getRepo(params),
  // `as`: the recorded references are branches and tags.
  ref: (params.ref ?? `${params.namespace}/${params.name}`) as GitRefName,
});
// `as`: the contract defines all recorded events.
const getEvents = (events: readonly string[] | undefined) =>
  events as readonly HookEvent[] | undefined;
const getFile = ({ path = '', ...params }: Params) => ({ ...getRepo(params), path });
// The response doesn't depend on the content, and old clients sent Base64 with line breaks.
const written = { message: 'm', content: { text: 'h' } };

/** Client method for each recorded hosting operation. */
export const hostingCalls: Readonly<Record<string, Send>> = {
  // `as`: the contract defines every recorded `type`. Any other value fails the test.
  'adminStats.get': (c, { type }) => c.adminStats.get({ type: type as AdminStatsScope }),
  'authorizations.create': (c, _params, { note, scopes }) =>
    c.authorizations.create({ note, scopes }, { auth: basic }),
  'commitComments.create': (c, params, { body, path }) =>
    c.commitComments.create({ ...getRepo(params), sha: params.sha ?? '', body, path }),
  'commitComments.delete': (c, params) => c.commitComments.delete(getOne(params)),
  'commitComments.get': (c, params) => c.commitComments.get(getOne(params)),
  'commitComments.listForCommit': (c, params) =>
    c.commitComments.listForCommit(getRef(params)).toArray(),
  'commitComments.listForRepo': (c, params) => c.commitComments.list(getRepo(params)).toArray(),
  'commitComments.update': (c, params, { body }) =>
    c.commitComments.update({ ...getOne(params), body }),
  'contents.create': (c, params) => c.contents.create({ ...getFile(params), ...written }),
  'contents.get': async (c, params, _body, { json }) =>
    json === true
      ? await c.contents.get(getFile(params))
      : await text(await c.contents.getRaw(getFile(params))),
  'contents.readme': (c, params) => c.contents.getReadme(getRepo(params)),
  'contents.update': (c, params, { sha }) =>
    c.contents.update({ ...getFile(params), ...written, sha }),
  'downloads.get': (c, params) => c.downloads.get(getOne(params)),
  'downloads.list': (c, params) => c.downloads.list(getRepo(params)).toArray(),
  'hooks.create': (c, params, { name, config, events, active }) =>
    c.hooks.create({ ...getRepo(params), name, config, events: getEvents(events), active }),
  'hooks.delete': (c, params) => c.hooks.delete(getOne(params)),
  'hooks.get': (c, params) => c.hooks.get(getOne(params)),
  'hooks.list': (c, params) => c.hooks.list(getRepo(params)).toArray(),
  'hooks.ping': (c, params) => c.hooks.ping(getOne(params)),
  'hooks.services': (c) => c.hooks.listServices().toArray(),
  'hooks.test': (c, params) => c.hooks.test(getOne(params)),
  'hooks.update': (c, params, { config, events, active }) =>
    c.hooks.update({ ...getOne(params), config, events: getEvents(events), active }),
  'pages.builds.latest': (c, params) => c.pages.getLatestBuild(getRepo(params)),
  'pages.builds.list': (c, params) => c.pages.listBuilds(getRepo(params)).toArray(),
  'pages.get': (c, params) => c.pages.get(getRepo(params)),
  'pulls.get': (c, params) => c.pulls.get({ ...getRepo(params), number: Number(params.number) }),
  'pulls.list': (c, params) => c.pulls.list(getRepo(params)).toArray(),
  'refs.create': (c, params, { ref, sha }) =>
    c.gitRefs.create({ ...getRepo(params), ref: ref as CreateGitRef['ref'], sha }),
  'refs.delete': (c, params) => c.gitRefs.delete(getRef(params)),
  'refs.get': (c, params) => c.gitRefs.get(getRef(params)),
  'refs.list': (c, params) =>
    c.gitRefs.list({ ...getRepo(params), namespace: params.namespace }).toArray(),
  'refs.update': (c, params, { sha, force }) => c.gitRefs.update({ ...getRef(params), sha, force }),
  'releases.create': (c, params, { tag_name }) =>
    c.releases.create({ ...getRepo(params), tag_name }),
  'releases.get': (c, params) => c.releases.get(getOne(params)),
  'releases.list': (c, params) => c.releases.list(getRepo(params)).toArray(),
  'releases.update': (c, params) => c.releases.update(getOne(params)),
  'stars.check': (c, params) => c.starring.isStarred(getRepo(params)),
  'stars.listForUser': (c, { username = '' }) => c.starring.listStarredBy({ username }).toArray(),
  'stars.listMine': (c) => c.starring.listStarred().toArray(),
  'stars.star': (c, params) => c.starring.star(getRepo(params)),
  'stars.stargazers': (c, params) => c.starring.listStargazers(getRepo(params)).toArray(),
  'stars.unstar': (c, params) => c.starring.unstar(getRepo(params)),
  'teams.create': (c, { org = '' }, { name }) => c.teams.create({ org, name }),
  'teams.delete': (c, params) => c.teams.delete(getId(params)),
  'teams.get': (c, params) => c.teams.get(getId(params)),
  'teams.list': (c, { org = '' }) => c.teams.list({ org }).toArray(),
  'teams.listMine': (c) => c.teams.listMine().toArray(),
  'teams.members.add': (c, params) => c.teams.addMember(getMember(params)),
  'teams.members.check': (c, params) => c.teams.isMember(getMember(params)),
  'teams.members.list': (c, params) => c.teams.listMembers(getId(params)).toArray(),
  'teams.members.remove': (c, params) => c.teams.removeMember(getMember(params)),
  'teams.repos.add': (c, { org = '', repo = '', ...params }) =>
    c.teams.addRepo({ ...getId(params), org, repo }),
  'teams.repos.check': (c, params) => c.teams.hasRepo({ ...getId(params), ...getRepo(params) }),
  'teams.repos.list': (c, params) => c.teams.listRepos(getId(params)).toArray(),
  'teams.repos.remove': (c, params) => c.teams.removeRepo({ ...getId(params), ...getRepo(params) }),
  'teams.update': (c, params, { name }) => c.teams.update({ ...getId(params), name }),
};
