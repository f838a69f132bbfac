import * as models from '../hosting/models/index.js';
import { objectOf, schemaOf } from './zod-schema.js';

/** Every statistic of the installation, by type. */
export const AdminStats = objectOf(models.AdminStats);

/** An OAuth authorization: a token and what it may do. */
export const Authorization = objectOf(models.Authorization);

/** The OAuth application that a token belongs to. */
export const AuthorizationApp = objectOf(models.AuthorizationApp);

/** Numbers of comments. */
export const CommentStats = objectOf(models.CommentStats);

/** A comment on a commit, in the default media type and in `raw`. */
export const CommitComment = objectOf(models.CommitComment);

/** A comment on a commit in the media type variant `full`: the text in all three forms. */
export const CommitCommentFull = objectOf(models.CommitCommentFull);

/** A comment on a commit in the media type variant `html`: without `body`. */
export const CommitCommentHtml = objectOf(models.CommitCommentHtml);

/** A comment on a commit in the media type variant `text`: without `body`. */
export const CommitCommentText = objectOf(models.CommitCommentText);

/** The git side of a listed commit. */
export const CommitDetails = objectOf(models.CommitDetails);

/** A parent commit by its SHA. */
export const CommitParent = objectOf(models.CommitParent);

/** A directory within a listing. */
export const ContentDirectory = objectOf(models.ContentDirectory);

/** One entry of a repository by itself; `type` tells which. */
export const ContentEntry = schemaOf(models.ContentEntry);

/** A file with its content. */
export const ContentFile = objectOf(models.ContentFile);

/** A file without its content, as directory listings and file commits give it. */
export const ContentFileItem = objectOf(models.ContentFileItem);

/** One entry of a directory listing; `type` tells which. */
export const ContentItem = schemaOf(models.ContentItem);

/** Where an entry leads. */
export const ContentLinks = objectOf(models.ContentLinks);

/** What `contents.get` answers: one entry, or the entries of a directory. */
export const ContentResult = schemaOf(models.ContentResult);

/** A submodule. */
export const ContentSubmodule = objectOf(models.ContentSubmodule);

/** A submodule within a listing, on servers that do not list it as a file. */
export const ContentSubmoduleItem = objectOf(models.ContentSubmoduleItem);

/** A symbolic link that does not lead to a file of the repository. */
export const ContentSymlink = objectOf(models.ContentSymlink);

/** A symbolic link within a listing. */
export const ContentSymlinkItem = objectOf(models.ContentSymlinkItem);

/** A file offered for download. */
export const Download = objectOf(models.Download);

/** What creating, updating and deleting a file answer. */
export const FileCommit = objectOf(models.FileCommit);

/** Numbers of gists. */
export const GistStats = objectOf(models.GistStats);

/** Who wrote or committed, as git stores it. */
export const GitActor = objectOf(models.GitActor);

/** The commit that a write of a file made. */
export const GitCommit = objectOf(models.GitCommit);

/** What a reference points to. */
export const GitObject = objectOf(models.GitObject);

/** A git reference: a branch, a tag, a note…. */
export const GitReference = objectOf(models.GitReference);

/** What reading one reference really answers: the reference, or every reference whose name begins like the one asked for, when there is none of that very name. */
export const GitReferenceOrMatches = schemaOf(models.GitReferenceOrMatches);

/** A webhook or service hook of a repository. */
export const Hook = objectOf(models.Hook);

/** Settings of a hook. */
export const HookConfig = objectOf(models.HookConfig);

/** A service that hooks can deliver to. */
export const HookService = objectOf(models.HookService);

/** Numbers of hooks. */
export const HookStats = objectOf(models.HookStats);

/** Numbers of issues. */
export const IssueStats = objectOf(models.IssueStats);

/** What merging a pull request answers. */
export const MergeResult = objectOf(models.MergeResult);

/** Numbers of milestones. */
export const MilestoneStats = objectOf(models.MilestoneStats);

/** Numbers of organizations. */
export const OrganizationStats = objectOf(models.OrganizationStats);

/** A build of a Pages site. */
export const PagesBuild = objectOf(models.PagesBuild);

/** Why a build failed. */
export const PagesBuildError = objectOf(models.PagesBuildError);

/** The Pages site of a repository. */
export const PagesSite = objectOf(models.PagesSite);

/** Numbers of Pages sites. */
export const PagesStats = objectOf(models.PagesStats);

/** A commit of a pull request. */
export const PullCommit = objectOf(models.PullCommit);

/** A file that a pull request changes. */
export const PullFile = objectOf(models.PullFile);

/** A pull request. */
export const PullRequest = objectOf(models.PullRequest);

/** One end of a pull request: the branch that it comes from, or the branch that it goes to. */
export const PullRequestBranch = objectOf(models.PullRequestBranch);

/** A relation of a pull request: where it leads. */
export const PullRequestLink = objectOf(models.PullRequestLink);

/** Where a pull request leads. */
export const PullRequestLinks = objectOf(models.PullRequestLinks);

/** Numbers of pull requests. */
export const PullRequestStats = objectOf(models.PullRequestStats);

/** The budget of one kind of request. */
export const RateLimitBucket = objectOf(models.RateLimitBucket);

/** Budgets by kind of request. */
export const RateLimitResources = objectOf(models.RateLimitResources);

/** The caller's rate limits. */
export const RateLimitStatus = objectOf(models.RateLimitStatus);

/** A release. */
export const Release = objectOf(models.Release);

/** A file attached to a release. */
export const ReleaseAsset = objectOf(models.ReleaseAsset);

/** A repository. */
export const Repository = objectOf(models.Repository);

/** What the caller may do in a repository. */
export const RepositoryPermissions = objectOf(models.RepositoryPermissions);

/** Numbers of repositories. */
export const RepositoryStats = objectOf(models.RepositoryStats);

/** A user with the time of the star: what lists answer for the media type `star`. */
export const Stargazer = objectOf(models.Stargazer);

/** A repository with the time of the star: what lists answer for the media type `star`. */
export const StarredRepository = objectOf(models.StarredRepository);

/** A team as a single read, a write, and `teams.listMine` give it. */
export const Team = objectOf(models.Team);

/** The organization of a team. */
export const TeamOrganization = objectOf(models.TeamOrganization);

/** A team as lists give it. */
export const TeamSummary = objectOf(models.TeamSummary);

/** A git tree by its SHA. */
export const TreeReference = objectOf(models.TreeReference);

/** What some servers send in place of a user whom they cannot name: an empty object. */
export const UnknownUser = objectOf(models.UnknownUser);

/** A user or an organization in its summary form. */
export const User = objectOf(models.User);

/** The paid plan of a user, on servers that still send it. */
export const UserPlan = objectOf(models.UserPlan);

/** Numbers of users. */
export const UserStats = objectOf(models.UserStats);
