import { expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import * as appliance from '../../src/console/index.js';
import * as doctor from '../../src/doctor/index.js';
import * as hosting from '../../src/hosting/index.js';
import * as triforge from '../../src/index.js';
import * as redis from '../../src/redis/index.js';
import { isModel } from '../../src/schema/model.js';
import * as schemas from '../../src/schemas/index.js';
import * as support from '../../src/support/index.js';
import * as testing from '../../src/testing/index.js';
import * as msw from '../../src/testing/msw/index.js';
import * as webhooks from '../../src/webhooks/index.js';

/** Exports that the main, hosting, support and console entry points share. */
const shared = `
  ApiError AuthenticationError BadRequestError ConfigurationError ApplianceConfigurationError
  ConflictError ConnectionError HookError InvalidRequestError NotFoundError OAuthError OperationFailedError
  UnexpectedStatusError Paginated PermissionError RateLimitError RedirectError ResponseBodyError
  ResponseShapeError ServerError SignatureError TimeoutError TriforgeError UnprocessableError
  expandUrlTemplate isApiError isTriforgeError parseLinkHeader`;

const entryPoints: Readonly<Record<string, string>> = {
  triforge: `${shared} ConsoleClient HostingClient OAuthWebFlow SupportClient`,
  'triforge/hosting': `${shared}
    AdminStats Authorization AuthorizationApp CommentStats CommitComment CommitCommentFull
    CommitCommentHtml CommitCommentText CommitDetails CommitParent ContentDirectory ContentEntry
    ContentFile ContentItem ContentLinks ContentResult ContentSubmodule
    ContentSymlink Download FileCommit GistStats GitActor
    GitCommit GitObject GitReference Hook HookConfig HookService HookStats
    HostingClient IssueStats MergeResult MilestoneStats OAuthWebFlow OrganizationStats PagesBuild
    PagesBuildError PagesSite PagesStats PullCommit PullFile PullRequest PullRequestBranch
    PullRequestLink PullRequestLinks PullRequestStats RateLimitBucket RateLimitResources
    RateLimitStatus Release ReleaseAsset Repository RepositoryPermissions RepositoryStats Stargazer StarredRepository Team
    TeamOrganization TeamSummary TreeReference UnknownUser User UserPlan UserStats checkRedirectUri
    contentBytes contentText hookEvents impliedScopes missingScopes normalizeScopes
    scopeImplications`,
  'triforge/support': `${shared}
    Campaign CaseCreated Contact ContactCreated ContactNote ContactProfile Me Message SupportCase
    SupportClient Tag TagRecord formatSupportDate parseSupportDate`,
  'triforge/console': `${shared}
    AssetsSettings AuthorizedKey AvatarSettings CasSettings CollectdSettings ConfigurationStatus
    ConfigurationStep ConsoleClient ConsoleSettings CustomerSettings DeviceSettings DnsSettings
    EnterpriseSettings LdapSettings LicenseSettings NtpSettings OAuthSettings PagesSettings
    SmtpSettings SnmpSettings SslSettings SyslogSettings TimezoneSettings diffSettings`,
  'triforge/webhooks': `
    ConfigurationError InvalidRequestError SignatureError TriforgeError createFetchHandler
    createNodeListener hookEvents isTriforgeError parseDelivery verifySignature`,
  'triforge/testing': `
    consoleSeed createEmulator createRecorder dispatcherOver readWorld replay seeded supportSeed
    writeWorld`,
  'triforge/testing/msw': 'mswHandlers',
  // This entry point exports one schema for each model.
  'triforge/schemas': Object.entries({ ...hosting, ...support, ...appliance })
    .flatMap(([name, value]) => (isModel(value) ? name : []))
    .join(' '),
  'triforge/redis': 'redisStore',
  'triforge/doctor': 'examine formatReport',
};

const loaded: Readonly<Record<string, object>> = {
  triforge,
  'triforge/hosting': hosting,
  'triforge/support': support,
  'triforge/console': appliance,
  'triforge/webhooks': webhooks,
  'triforge/testing': testing,
  'triforge/testing/msw': msw,
  'triforge/schemas': schemas,
  'triforge/redis': redis,
  'triforge/doctor': doctor,
};

test.for(Object.entries(entryPoints))('%s exports exactly the expected names', ([name, names]) => {
  const expected = new Set(names.trim().split(/\s+/));
  expect(new Set(Object.keys(loaded[name] ?? {}))).toEqual(expected);
});

test('the package has exactly the expected entry points', () => {
  const paths = Object.keys(manifest.exports).filter((path) => !path.endsWith('.json'));
  const names = paths.map((path) => path.replace(/^\./, 'triforge'));
  expect(names).toEqual(Object.keys(entryPoints));
});
