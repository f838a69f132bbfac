import * as models from '../hosting/models/index.js';
import { objectOf, schemaOf } from './zod-schema.js';

/** All statistics of the installation, by type. */
export const AdminStats = objectOf(models.AdminStats);

/** OAuth authorization: a token and its scopes. */
export const Authorization = objectOf(models.Authorization);

/** OAuth application that a token belongs to. */
export const AuthorizationApp = objectOf(models.AuthorizationApp);

/** Comment counts. */
export const CommentStats = objectOf(models.CommentStats);

/** Comment on a commit in the default media type or the variant `raw`. */
export const CommitComment = objectOf(models.CommitComment);

/** Comment on a commit in the media type variant `full`, with the text in all three forms. */
export const CommitCommentFull = objectOf(models.CommitCommentFull);

/** Comment on a commit in the media type variant `html`. It has no `body`. */
export const CommitCommentHtml = objectOf(models.CommitCommentHtml);

/** Comment on a commit in the media type variant `text`. It has no `body`. */
export const CommitCommentText = objectOf(models.CommitCommentText);

/** Git data of a listed commit. */
export const CommitDetails = objectOf(models.CommitDetails);

/** Reference to a parent commit. */
export const CommitParent = objectOf(models.CommitParent);

/** Directory in a listing. */
export const ContentDirectory = objectOf(models.ContentDirectory);

/** Single entry of a repository. `type` distinguishes its kinds. */
export const ContentEntry = schemaOf(models.ContentEntry);

/** File with its content. */
export const ContentFile = objectOf(models.ContentFile);

/** File without its content, as returned in directory listings and by file changes. */
export const ContentFileItem = objectOf(models.ContentFileItem);

/** Entry of a directory listing. `type` distinguishes its kinds. */
export const ContentItem = schemaOf(models.ContentItem);

/** Links of an entry. */
export const ContentLinks = objectOf(models.ContentLinks);

/** Result of `contents.get`: one entry, or the entries of a directory. */
export const ContentResult = schemaOf(models.ContentResult);

/** Submodule. */
export const ContentSubmodule = objectOf(models.ContentSubmodule);

/** Submodule in a listing, on servers that don't list submodules as files. */
export const ContentSubmoduleItem = objectOf(models.ContentSubmoduleItem);

/** Symbolic link that doesn't point to a file of the repository. */
export const ContentSymlink = objectOf(models.ContentSymlink);

/** Symbolic link in a listing. */
export const ContentSymlinkItem = objectOf(models.ContentSymlinkItem);

/** File that a repository offers for download. */
export const Download = objectOf(models.Download);

/** Result of creating, updating or deleting a file. */
export const FileCommit = objectOf(models.FileCommit);

/** Gist counts. */
export const GistStats = objectOf(models.GistStats);

/** Author or committer, as stored by git. */
export const GitActor = objectOf(models.GitActor);

/** Commit created by a change of a file. */
export const GitCommit = objectOf(models.GitCommit);

/** Object that a reference points to. */
export const GitObject = objectOf(models.GitObject);

/** Git reference: a branch, a tag, a note or another one. */
export const GitReference = objectOf(models.GitReference);

/**
 * Response to a request for one reference. If no reference has that exact name, servers return
 * every reference whose name starts with it.
 */
export const GitReferenceOrMatches = schemaOf(models.GitReferenceOrMatches);

/** Webhook or service hook of a repository. */
export const Hook = objectOf(models.Hook);

/** Settings of a hook. */
export const HookConfig = objectOf(models.HookConfig);

/** Service that hooks can deliver to. */
export const HookService = objectOf(models.HookService);

/** Hook counts. */
export const HookStats = objectOf(models.HookStats);

/** Issue counts. */
export const IssueStats = objectOf(models.IssueStats);

/** Result of merging a pull request. */
export const MergeResult = objectOf(models.MergeResult);

/** Milestone counts. */
export const MilestoneStats = objectOf(models.MilestoneStats);

/** Organization counts. */
export const OrganizationStats = objectOf(models.OrganizationStats);

/** Build of a Pages site. */
export const PagesBuild = objectOf(models.PagesBuild);

/** Reason why a build failed. */
export const PagesBuildError = objectOf(models.PagesBuildError);

/** Pages site of a repository. */
export const PagesSite = objectOf(models.PagesSite);

/** Counts of Pages sites. */
export const PagesStats = objectOf(models.PagesStats);

/** Commit of a pull request. */
export const PullCommit = objectOf(models.PullCommit);

/** File that a pull request changes. */
export const PullFile = objectOf(models.PullFile);

/** Pull request. */
export const PullRequest = objectOf(models.PullRequest);

/** Head or base branch of a pull request. */
export const PullRequestBranch = objectOf(models.PullRequestBranch);

/** Link of a pull request. */
export const PullRequestLink = objectOf(models.PullRequestLink);

/** Links of a pull request. */
export const PullRequestLinks = objectOf(models.PullRequestLinks);

/** Pull request counts. */
export const PullRequestStats = objectOf(models.PullRequestStats);

/** Rate-limit budget of one kind of request. */
export const RateLimitBucket = objectOf(models.RateLimitBucket);

/** Rate-limit budgets by kind of request. */
export const RateLimitResources = objectOf(models.RateLimitResources);

/** Rate limits of the caller. */
export const RateLimitStatus = objectOf(models.RateLimitStatus);

/** Release of a repository. */
export const Release = objectOf(models.Release);

/** File attached to a release. */
export const ReleaseAsset = objectOf(models.ReleaseAsset);

/** Repository. */
export const Repository = objectOf(models.Repository);

/** Permissions of the caller in a repository. */
export const RepositoryPermissions = objectOf(models.RepositoryPermissions);

/** Repository counts. */
export const RepositoryStats = objectOf(models.RepositoryStats);

/** User with the time of the star, as returned for the media type `star`. */
export const Stargazer = objectOf(models.Stargazer);

/** Repository with the time of the star, as returned for the media type `star`. */
export const StarredRepository = objectOf(models.StarredRepository);

/** Team as returned by single reads, writes and `teams.listMine`. */
export const Team = objectOf(models.Team);

/** Organization of a team. */
export const TeamOrganization = objectOf(models.TeamOrganization);

/** Team as returned in lists. */
export const TeamSummary = objectOf(models.TeamSummary);

/** Reference to a git tree. */
export const TreeReference = objectOf(models.TreeReference);

/** Empty object that some servers send instead of a user they can't identify. */
export const UnknownUser = objectOf(models.UnknownUser);

/** User or organization in summary form. */
export const User = objectOf(models.User);

/** Paid plan of a user, on servers that still send it. */
export const UserPlan = objectOf(models.UserPlan);

/** User counts. */
export const UserStats = objectOf(models.UserStats);
