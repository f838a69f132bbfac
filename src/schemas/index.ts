/**
 * All models as zod 4 schemas that you can extend, nest and infer types from. Each schema has the
 * same name as the model in `triforge/hosting`, `triforge/support` or `triforge/console`.
 *
 * ```ts
 * import * as z from 'zod';
 * import { Release, User } from 'triforge/schemas';
 *
 * const Signed = Release.extend({ author: User.pick({ login: true }), signed: z.boolean() });
 * type Signed = z.infer<typeof Signed>;
 * ```
 * @packageDocumentation
 */

import * as z from 'zod';
import * as appliance from '../console/models/index.js';
import * as hosting from '../hosting/models/index.js';
import { definition } from '../schema/check.js';
import { type Model, type Open, ref } from '../schema/model.js';
import * as support from '../support/models/index.js';

/** Schemas of the declared attributes of `T`. Attributes that may be absent are optional. */
export type ShapeOf<T> = {
  readonly [K in keyof T as string extends K
    ? never
    : number extends K
      ? never
      : K]-?: object extends Pick<T, K>
    ? z.ZodOptional<z.ZodType<Exclude<T[K], undefined>, Exclude<T[K], undefined>>>
    : z.ZodType<T[K], T[K]>;
};

/**
 * Zod schema of an object. Like every `z.object`, it removes undeclared attributes when parsing. To
 * keep them, use `.loose()`. Schemas of models that allow unknown attributes are already loose.
 */
export type ObjectSchema<T> = z.ZodObject<
  ShapeOf<T>,
  Open<T> extends true ? z.core.$loose : z.core.$strip
>;

const made = new WeakMap<z.core.$ZodType, z.ZodType>();

/**
 * Adds zod's schema methods, because models use `zod/mini` schemas, which don't have these methods.
 */
function withMethods(schema: z.core.$ZodType): z.ZodType {
  const known = made.get(schema);
  if (known) return known;
  const result = convert(schema);
  made.set(schema, result);
  return result;
}

function convert(schema: z.core.$ZodType): z.ZodType {
  const def = definition(schema);
  switch (def.type) {
    case 'object': {
      const fields = Object.entries(def.shape).map(([name, field]) => [name, withMethods(field)]);
      const catchall = def.catchall && withMethods(def.catchall);
      return new z.ZodObject({ ...def, shape: Object.fromEntries(fields), catchall });
    }
    case 'array':
      return new z.ZodArray({ ...def, element: withMethods(def.element) });
    case 'record':
      return new z.ZodRecord({ ...def, valueType: withMethods(def.valueType) });
    case 'tuple':
      return new z.ZodTuple({ ...def, items: def.items.map(withMethods) });
    case 'union': {
      const options = def.options.map(withMethods);
      return 'discriminator' in def
        ? new z.ZodDiscriminatedUnion({
            ...def,
            options,
            discriminator: String(def.discriminator),
          })
        : new z.ZodUnion({ ...def, options });
    }
    case 'optional':
      return new z.ZodOptional({ ...def, innerType: withMethods(def.innerType) });
    case 'nullable':
      return new z.ZodNullable({ ...def, innerType: withMethods(def.innerType) });
    case 'number':
      return 'format' in def ? z.int() : new z.ZodNumber(def);
    case 'string':
      return new z.ZodString(def);
    case 'boolean':
      return new z.ZodBoolean(def);
    case 'literal':
      return new z.ZodLiteral(def);
    case 'null':
      return new z.ZodNull(def);
    case 'unknown':
      return new z.ZodUnknown(def);
    default:
      throw new TypeError(`schemas of type ${def.type} are not supported`);
  }
}

/** Returns an object model's zod schema. */
function toObjectSchema<T extends object>(model: Model<T>): ObjectSchema<T> {
  // `as`: the compiler checks that an object model declares all fields of T, including optional
  // fields.
  return withMethods(ref(model)) as unknown as ObjectSchema<T>;
}

/** Returns the zod schema of a model whose type is a union or isn't an object. */
function toZodSchema<T>(model: Model<T>): z.ZodType<T, T> {
  // `as`: the result of `withMethods` accepts the same values.
  return withMethods(ref(model)) as z.ZodType<T, T>;
}

/** All statistics of the installation, by type. */
export const AdminStats = toObjectSchema(hosting.AdminStats);

/** OAuth authorization, which consists of a token and its scopes. */
export const Authorization = toObjectSchema(hosting.Authorization);

/** OAuth application that a token belongs to. */
export const AuthorizationApp = toObjectSchema(hosting.AuthorizationApp);

/** Comment counts. */
export const CommentStats = toObjectSchema(hosting.CommentStats);

/** Commit comment in the default media type or its `raw` variant. */
export const CommitComment = toObjectSchema(hosting.CommitComment);

/**
 * Commit comment in the `full` media type variant, with the text as Markdown, plain text and HTML.
 */
export const CommitCommentFull = toObjectSchema(hosting.CommitCommentFull);

/** Commit comment in the `html` media type variant. It has no `body`. */
export const CommitCommentHtml = toObjectSchema(hosting.CommitCommentHtml);

/** Commit comment in the `text` media type variant. It has no `body`. */
export const CommitCommentText = toObjectSchema(hosting.CommitCommentText);

/** Git data of a listed commit. */
export const CommitDetails = toObjectSchema(hosting.CommitDetails);

/** Reference to a parent commit. */
export const CommitParent = toObjectSchema(hosting.CommitParent);

/** Directory in a listing. */
export const ContentDirectory = toObjectSchema(hosting.ContentDirectory);

/** Single entry in a repository, distinguished by `type`. */
export const ContentEntry = toZodSchema(hosting.ContentEntry);

/** File with its content. */
export const ContentFile = toObjectSchema(hosting.ContentFile);

/** Entry in a directory listing, distinguished by `type`. */
export const ContentItem = toObjectSchema(hosting.ContentItem);

/** Links of a file or a directory entry (`_links`). */
export const ContentLinks = toObjectSchema(hosting.ContentLinks);

/** Result of `contents.get`: a single entry, or the entries of a directory. */
export const ContentResult = toZodSchema(hosting.ContentResult);

/** Submodule. */
export const ContentSubmodule = toObjectSchema(hosting.ContentSubmodule);

/** Symbolic link that doesn't point to a file in the repository. */
export const ContentSymlink = toObjectSchema(hosting.ContentSymlink);

/** File that a repository offers for download. */
export const Download = toObjectSchema(hosting.Download);

/** Result of creating, updating or deleting a file. */
export const FileCommit = toObjectSchema(hosting.FileCommit);

/** Gist counts. */
export const GistStats = toObjectSchema(hosting.GistStats);

/** Author or committer, as stored by git. */
export const GitActor = toObjectSchema(hosting.GitActor);

/** Commit that changes a file. */
export const GitCommit = toObjectSchema(hosting.GitCommit);

/** Object that a reference points to. */
export const GitObject = toObjectSchema(hosting.GitObject);

/** Git reference, such as a branch, a tag or a note. */
export const GitReference = toObjectSchema(hosting.GitReference);

/** Webhook or service hook of a repository. */
export const Hook = toObjectSchema(hosting.Hook);

/** Settings of a hook. */
export const HookConfig = toObjectSchema(hosting.HookConfig);

/** Service that hooks can deliver to. */
export const HookService = toObjectSchema(hosting.HookService);

/** Hook counts. */
export const HookStats = toObjectSchema(hosting.HookStats);

/** Issue counts. */
export const IssueStats = toObjectSchema(hosting.IssueStats);

/** Result of merging a pull request. */
export const MergeResult = toObjectSchema(hosting.MergeResult);

/** Milestone counts. */
export const MilestoneStats = toObjectSchema(hosting.MilestoneStats);

/** Organization counts. */
export const OrganizationStats = toObjectSchema(hosting.OrganizationStats);

/** Build of a Pages site. */
export const PagesBuild = toObjectSchema(hosting.PagesBuild);

/** Reason for a build failure. */
export const PagesBuildError = toObjectSchema(hosting.PagesBuildError);

/** Pages site of a repository. */
export const PagesSite = toObjectSchema(hosting.PagesSite);

/** Counts of Pages sites. */
export const PagesStats = toObjectSchema(hosting.PagesStats);

/** Commit of a pull request. */
export const PullCommit = toObjectSchema(hosting.PullCommit);

/** File that a pull request changes. */
export const PullFile = toObjectSchema(hosting.PullFile);

/** Pull request. */
export const PullRequest = toObjectSchema(hosting.PullRequest);

/** Head or base branch of a pull request. */
export const PullRequestBranch = toObjectSchema(hosting.PullRequestBranch);

/** Link in a pull request's `_links`. */
export const PullRequestLink = toObjectSchema(hosting.PullRequestLink);

/** Links to resources related to a pull request. */
export const PullRequestLinks = toObjectSchema(hosting.PullRequestLinks);

/** Pull request counts. */
export const PullRequestStats = toObjectSchema(hosting.PullRequestStats);

/** Rate-limit quota for one kind of request. */
export const RateLimitBucket = toObjectSchema(hosting.RateLimitBucket);

/** Rate-limit quotas by kind of request. */
export const RateLimitResources = toObjectSchema(hosting.RateLimitResources);

/** The caller's rate limits. */
export const RateLimitStatus = toObjectSchema(hosting.RateLimitStatus);

/** Release of a repository. */
export const Release = toObjectSchema(hosting.Release);

/** File attached to a release. */
export const ReleaseAsset = toObjectSchema(hosting.ReleaseAsset);

/** Repository. */
export const Repository = toObjectSchema(hosting.Repository);

/** The caller's permissions for a repository. */
export const RepositoryPermissions = toObjectSchema(hosting.RepositoryPermissions);

/** Repository counts. */
export const RepositoryStats = toObjectSchema(hosting.RepositoryStats);

/**
 * User who starred a repository, and the time when the user starred it. Returned for the `star`
 * media type.
 */
export const Stargazer = toObjectSchema(hosting.Stargazer);

/**
 * Repository that a user starred, and the time when the user starred it. Returned for the `star`
 * media type.
 */
export const StarredRepository = toObjectSchema(hosting.StarredRepository);

/** Team with all fields, as returned by `teams.get`, `create`, `update` and `listMine`. */
export const Team = toObjectSchema(hosting.Team);

/** Organization of a team. */
export const TeamOrganization = toObjectSchema(hosting.TeamOrganization);

/** Summary of a team, as returned by `teams.list`. */
export const TeamSummary = toObjectSchema(hosting.TeamSummary);

/** Reference to a git tree. */
export const TreeReference = toObjectSchema(hosting.TreeReference);

/** Empty object that some servers send for a user they can't identify. */
export const UnknownUser = toObjectSchema(hosting.UnknownUser);

/** Summary of a user or an organization. */
export const User = toObjectSchema(hosting.User);

/** A user's billing plan. Some servers don't send this object. */
export const UserPlan = toObjectSchema(hosting.UserPlan);

/** User counts. */
export const UserStats = toObjectSchema(hosting.UserStats);

/** Campaign that a case belongs to. */
export const Campaign = toObjectSchema(support.Campaign);

/** Result of creating a case. */
export const CaseCreated = toObjectSchema(support.CaseCreated);

/** Person or company. */
export const Contact = toObjectSchema(support.Contact);

/** Result of creating a contact. */
export const ContactCreated = toObjectSchema(support.ContactCreated);

/** Note on a contact. */
export const ContactNote = toObjectSchema(support.ContactNote);

/** Identity of a contact in one channel. */
export const ContactProfile = toObjectSchema(support.ContactProfile);

/** Login status of a session. */
export const Me = toObjectSchema(support.Me);

/** Message linked to a case. */
export const Message = toObjectSchema(support.Message);

/** Support case. */
export const SupportCase = toObjectSchema(support.SupportCase);

/** Tag in a list of tags. */
export const Tag = toZodSchema(support.Tag);

/** Tag as a record. */
export const TagRecord = toObjectSchema(support.TagRecord);

/** Settings for asset storage. */
export const AssetsSettings = toObjectSchema(appliance.AssetsSettings);

/** SSH key with access to the appliance. */
export const AuthorizedKey = toObjectSchema(appliance.AuthorizedKey);

/** Settings for avatars. */
export const AvatarSettings = toObjectSchema(appliance.AvatarSettings);

/** Settings for CAS authentication. */
export const CasSettings = toObjectSchema(appliance.CasSettings);

/** Settings for sending metrics to collectd. */
export const CollectdSettings = toObjectSchema(appliance.CollectdSettings);

/** Progress of a configuration run. */
export const ConfigurationStatus = toObjectSchema(appliance.ConfigurationStatus);

/** Step of a configuration run. */
export const ConfigurationStep = toObjectSchema(appliance.ConfigurationStep);

/** Settings of an appliance. */
export const ConsoleSettings = toObjectSchema(appliance.ConsoleSettings);

/** Customer that owns the license. */
export const CustomerSettings = toObjectSchema(appliance.CustomerSettings);

/** Storage device. */
export const DeviceSettings = toObjectSchema(appliance.DeviceSettings);

/** Settings for name servers. */
export const DnsSettings = toObjectSchema(appliance.DnsSettings);

/** The `enterprise` object in the settings. */
export const EnterpriseSettings = toObjectSchema(appliance.EnterpriseSettings);

/** Settings for LDAP authentication. */
export const LdapSettings = toObjectSchema(appliance.LdapSettings);

/** License of the appliance. `expire_at` is a timestamp with a numeric offset. */
export const LicenseSettings = toObjectSchema(appliance.LicenseSettings);

/** Settings for time servers. */
export const NtpSettings = toObjectSchema(appliance.NtpSettings);

/** Settings for OAuth authentication. */
export const OAuthSettings = toObjectSchema(appliance.OAuthSettings);

/** Settings for Pages sites. */
export const PagesSettings = toObjectSchema(appliance.PagesSettings);

/** Settings for outgoing email. */
export const SmtpSettings = toObjectSchema(appliance.SmtpSettings);

/** Settings for SNMP monitoring. */
export const SnmpSettings = toObjectSchema(appliance.SnmpSettings);

/** TLS settings of the appliance. The certificate and key are in PEM format. */
export const SslSettings = toObjectSchema(appliance.SslSettings);

/** Settings for log forwarding. */
export const SyslogSettings = toObjectSchema(appliance.SyslogSettings);

/** Time zone settings. */
export const TimezoneSettings = toObjectSchema(appliance.TimezoneSettings);
