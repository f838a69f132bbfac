import * as models from '../hosting/models/index.js';
import { toObjectSchema, toZodSchema } from './zod-schema.js';

/** All statistics of the installation, by type. */
export const AdminStats = toObjectSchema(models.AdminStats);

/** OAuth authorization, which consists of a token and its scopes. */
export const Authorization = toObjectSchema(models.Authorization);

/** OAuth application that a token belongs to. */
export const AuthorizationApp = toObjectSchema(models.AuthorizationApp);

/** Comment counts. */
export const CommentStats = toObjectSchema(models.CommentStats);

/** Commit comment in the default media type or its `raw` variant. */
export const CommitComment = toObjectSchema(models.CommitComment);

/**
 * Commit comment in the `full` media type variant, with the text as Markdown, plain text and HTML.
 */
export const CommitCommentFull = toObjectSchema(models.CommitCommentFull);

/** Commit comment in the `html` media type variant. It has no `body`. */
export const CommitCommentHtml = toObjectSchema(models.CommitCommentHtml);

/** Commit comment in the `text` media type variant. It has no `body`. */
export const CommitCommentText = toObjectSchema(models.CommitCommentText);

/** Git data of a listed commit. */
export const CommitDetails = toObjectSchema(models.CommitDetails);

/** Reference to a parent commit. */
export const CommitParent = toObjectSchema(models.CommitParent);

/** Directory in a listing. */
export const ContentDirectory = toObjectSchema(models.ContentDirectory);

/** Single entry in a repository, distinguished by `type`. */
export const ContentEntry = toZodSchema(models.ContentEntry);

/** File with its content. */
export const ContentFile = toObjectSchema(models.ContentFile);

/** Entry in a directory listing, distinguished by `type`. */
export const ContentItem = toObjectSchema(models.ContentItem);

/** Links of a file or a directory entry (`_links`). */
export const ContentLinks = toObjectSchema(models.ContentLinks);

/** Result of `contents.get`: a single entry, or the entries of a directory. */
export const ContentResult = toZodSchema(models.ContentResult);

/** Submodule. */
export const ContentSubmodule = toObjectSchema(models.ContentSubmodule);

/** Symbolic link that doesn't point to a file in the repository. */
export const ContentSymlink = toObjectSchema(models.ContentSymlink);

/** File that a repository offers for download. */
export const Download = toObjectSchema(models.Download);

/** Result of creating, updating or deleting a file. */
export const FileCommit = toObjectSchema(models.FileCommit);

/** Gist counts. */
export const GistStats = toObjectSchema(models.GistStats);

/** Author or committer, as stored by git. */
export const GitActor = toObjectSchema(models.GitActor);

/** Commit that changes a file. */
export const GitCommit = toObjectSchema(models.GitCommit);

/** Object that a reference points to. */
export const GitObject = toObjectSchema(models.GitObject);

/** Git reference, such as a branch, a tag or a note. */
export const GitReference = toObjectSchema(models.GitReference);

/** Webhook or service hook of a repository. */
export const Hook = toObjectSchema(models.Hook);

/** Settings of a hook. */
export const HookConfig = toObjectSchema(models.HookConfig);

/** Service that hooks can deliver to. */
export const HookService = toObjectSchema(models.HookService);

/** Hook counts. */
export const HookStats = toObjectSchema(models.HookStats);

/** Issue counts. */
export const IssueStats = toObjectSchema(models.IssueStats);

/** Result of merging a pull request. */
export const MergeResult = toObjectSchema(models.MergeResult);

/** Milestone counts. */
export const MilestoneStats = toObjectSchema(models.MilestoneStats);

/** Organization counts. */
export const OrganizationStats = toObjectSchema(models.OrganizationStats);

/** Build of a Pages site. */
export const PagesBuild = toObjectSchema(models.PagesBuild);

/** Reason why a build failed. */
export const PagesBuildError = toObjectSchema(models.PagesBuildError);

/** Pages site of a repository. */
export const PagesSite = toObjectSchema(models.PagesSite);

/** Counts of Pages sites. */
export const PagesStats = toObjectSchema(models.PagesStats);

/** Commit of a pull request. */
export const PullCommit = toObjectSchema(models.PullCommit);

/** File that a pull request changes. */
export const PullFile = toObjectSchema(models.PullFile);

/** Pull request. */
export const PullRequest = toObjectSchema(models.PullRequest);

/** Head or base branch of a pull request. */
export const PullRequestBranch = toObjectSchema(models.PullRequestBranch);

/** Link in a pull request's `_links`. */
export const PullRequestLink = toObjectSchema(models.PullRequestLink);

/** Links to resources related to a pull request. */
export const PullRequestLinks = toObjectSchema(models.PullRequestLinks);

/** Pull request counts. */
export const PullRequestStats = toObjectSchema(models.PullRequestStats);

/** Rate-limit quota for one kind of request. */
export const RateLimitBucket = toObjectSchema(models.RateLimitBucket);

/** Rate-limit quotas by kind of request. */
export const RateLimitResources = toObjectSchema(models.RateLimitResources);

/** The caller's rate limits. */
export const RateLimitStatus = toObjectSchema(models.RateLimitStatus);

/** Release of a repository. */
export const Release = toObjectSchema(models.Release);

/** File attached to a release. */
export const ReleaseAsset = toObjectSchema(models.ReleaseAsset);

/** Repository. */
export const Repository = toObjectSchema(models.Repository);

/** The caller's permissions for a repository. */
export const RepositoryPermissions = toObjectSchema(models.RepositoryPermissions);

/** Repository counts. */
export const RepositoryStats = toObjectSchema(models.RepositoryStats);

/** Full team, as returned by `teams.get`, `create`, `update` and `listMine`. */
export const Team = toObjectSchema(models.Team);

/** Organization of a team. */
export const TeamOrganization = toObjectSchema(models.TeamOrganization);

/** User who starred a repository, with the time of the star. Returned for the media type `star`. */
export const Stargazer = toObjectSchema(models.Stargazer);

/**
 * Repository that a user starred, with the time of the star. Returned for the media type `star`.
 */
export const StarredRepository = toObjectSchema(models.StarredRepository);

/** Team as returned in lists. */
export const TeamSummary = toObjectSchema(models.TeamSummary);

/** Reference to a git tree. */
export const TreeReference = toObjectSchema(models.TreeReference);

/** Empty object that some servers send instead of a user they can't identify. */
export const UnknownUser = toObjectSchema(models.UnknownUser);

/** User or organization in summary form. */
export const User = toObjectSchema(models.User);

/** A user's paid plan. Some servers no longer send it. */
export const UserPlan = toObjectSchema(models.UserPlan);

/** User counts. */
export const UserStats = toObjectSchema(models.UserStats);
