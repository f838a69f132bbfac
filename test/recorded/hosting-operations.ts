import {
  AdminStats,
  Authorization,
  CommitComment,
  ContentFile,
  ContentResult,
  Download,
  FileCommit,
  GitReference,
  GitReferenceOrMatches,
  Hook,
  HookService,
  PagesBuild,
  PagesSite,
  PullRequest,
  Release,
  Repository,
  Team,
  TeamSummary,
  User,
} from '../../src/hosting/index.js';
import { adminStatsModels } from '../../src/hosting/models/admin-stats.js';
import { defineList, type Model } from '../../src/schema/model.js';
import * as fields from '../contract/hosting-fields.js';
import type { Tree } from '../contract/tree.js';
import type { Recording } from './recordings.js';

/** An operation's JSON response: its model and the contract's fields for one item. */
export interface ResponseModel {
  readonly model: Model<unknown>;
  readonly tree: Tree;
  /** True if the response is an array of items. */
  readonly list: boolean;
}

const one = (model: Model<unknown>, tree: Tree): ResponseModel => ({ model, tree, list: false });
const many = (model: Model<unknown>, tree: Tree): ResponseModel => ({
  model: defineList(model),
  tree,
  list: true,
});

const responses: Readonly<Record<string, ResponseModel>> = {
  'authorizations.create': one(Authorization, fields.authorization),
  'commitComments.create': one(CommitComment, fields.commitComment),
  'commitComments.get': one(CommitComment, fields.commitComment),
  'commitComments.listForCommit': many(CommitComment, fields.commitComment),
  'commitComments.listForRepo': many(CommitComment, fields.commitComment),
  'commitComments.update': one(CommitComment, fields.commitComment),
  'contents.create': one(FileCommit, fields.fileCommit),
  'contents.get': one(ContentResult, fields.contentEntry),
  'contents.readme': one(ContentFile, fields.contentEntry),
  'contents.update': one(FileCommit, fields.fileCommit),
  'downloads.get': one(Download, fields.download),
  'downloads.list': many(Download, fields.download),
  'hooks.create': one(Hook, fields.hook),
  'hooks.get': one(Hook, fields.hook),
  'hooks.list': many(Hook, fields.hook),
  // The contract doesn't contain this endpoint, so no fields are specified.
  'hooks.services': many(HookService, {}),
  'hooks.update': one(Hook, fields.hook),
  'pages.builds.latest': one(PagesBuild, fields.pagesBuild),
  'pages.builds.list': many(PagesBuild, fields.pagesBuild),
  'pages.get': one(PagesSite, fields.pagesSite),
  'pulls.get': one(PullRequest, fields.pullRequest),
  'pulls.list': many(PullRequest, fields.pullRequest),
  'refs.create': one(GitReference, fields.gitReference),
  'refs.get': one(GitReferenceOrMatches, fields.gitReference),
  'refs.list': many(GitReference, fields.gitReference),
  'refs.update': one(GitReference, fields.gitReference),
  'releases.create': one(Release, fields.release),
  'releases.get': one(Release, fields.release),
  'releases.list': many(Release, fields.release),
  'releases.update': one(Release, fields.release),
  'stars.listForUser': many(Repository, fields.repository),
  'stars.listMine': many(Repository, fields.repository),
  'stars.stargazers': many(User, fields.user),
  'teams.create': one(Team, fields.team),
  'teams.get': one(Team, fields.team),
  'teams.list': many(TeamSummary, fields.teamSummary),
  'teams.listMine': many(Team, fields.team),
  'teams.members.list': many(User, fields.user),
  'teams.repos.list': many(Repository, fields.repository),
  'teams.update': one(Team, fields.team),
};

const statsModels: ReadonlyMap<string, Model<unknown>> = new Map(Object.entries(adminStatsModels));
const statsTrees: ReadonlyMap<string, Tree> = new Map(Object.entries(fields.adminStats));

function getStatsModel(type: string | undefined): ResponseModel | undefined {
  if (type === 'all') return one(AdminStats, fields.adminStats);
  const model = statsModels.get(type ?? '');
  const tree = statsTrees.get(type ?? '');
  return model && tree && one(model, tree);
}

/**
 * Returns the expected response of a recorded hosting operation, or undefined for errors, empty
 * responses, raw contents, and operations of other APIs.
 * @throws {Error} if a JSON response of the hosting API has no entry above.
 */
export function findModel(recording: Recording): ResponseModel | undefined {
  const { operation, response, json, params } = recording;
  if (response.status >= 300 || json !== true || operation === null) return undefined;
  if (operation.startsWith('console.')) return undefined;
  const result = operation === 'adminStats.get' ? getStatsModel(params.type) : responses[operation];
  if (!result) throw new Error(`no model for the recorded operation ${operation}`);
  return result;
}
