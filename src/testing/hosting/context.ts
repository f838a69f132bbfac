import type { EmulatorClock } from '../clock.js';
import type { FamilyRequest } from '../family.js';
import { json, type Reply } from '../reply.js';
import type { Account, HostingState, Repo } from './state.js';

/** Who asks. */
export interface HostingCaller {
  /** Undefined for anonymous callers and OAuth applications. */
  readonly account: Account | undefined;
  readonly scheme: 'none' | 'basic' | 'token' | 'application';
  /** Scopes of the token; undefined where no token was used. */
  readonly scopes: readonly string[] | undefined;
  /** Key of the rate limit. */
  readonly key: string;
}

/** What a route works with. */
export interface HostingContext extends FamilyRequest {
  readonly params: Readonly<Record<string, string>>;
  readonly caller: HostingCaller;
  readonly state: HostingState;
  readonly clock: EmulatorClock;
  readonly vendor: string;
  /** Base of URLs in answers: `http://…/api/v3`. */
  readonly api: string;
  /** Media type asked for. */
  readonly accept: string;
  /** A path parameter that the route names. */
  param(name: string): string;
  /** The JSON body, as an object. @throws {Refused} 400 */
  body(): Promise<Record<string, unknown>>;
}

/** One route of the hosting API. */
export type HostingRoute = (context: HostingContext) => Reply | Promise<Reply>;

/** Ends a route early with an answer. */
export class Refused extends Error {
  constructor(readonly reply: Reply) {
    super(`answered ${reply.status}`);
  }
}

/** 404, as the API says it. */
export function notFound(): Refused {
  return new Refused(json(404, { message: 'Not Found' }));
}

/** 401 for what needs somebody. */
export function unauthorized(): Refused {
  return new Refused(
    json(401, {
      message: 'Requires authentication',
      documentation_url: 'https://developer.example.com/v3',
    }),
  );
}

/** One entry of a 422. */
export interface Problem {
  readonly resource: string;
  readonly field: string;
  readonly code: string;
}

/** 422 with its entries. */
export function invalid(...errors: readonly Problem[]): Refused {
  return new Refused(json(422, { message: 'Validation Failed', errors }));
}

/** The account that asks. @throws {Refused} 401 */
export function callerOf(context: HostingContext): Account {
  const { account } = context.caller;
  if (!account) throw unauthorized();
  return account;
}

/** What a login may do with a repository. */
export function permissionOf(
  repo: Repo,
  account: Account | undefined,
): 'none' | 'pull' | 'push' | 'admin' {
  if (account && (account.login === repo.owner || account.siteAdmin)) return 'admin';
  const given = account && repo.collaborators.get(account.login);
  return given ?? (repo.isPrivate ? 'none' : 'pull');
}

/** The repository of `:owner/:repo`. @throws {Refused} 404 where it is missing or hidden */
export function repoOf(context: HostingContext): Repo {
  const repo = context.state.repo(context.param('owner'), context.param('repo'));
  if (!repo || permissionOf(repo, context.caller.account) === 'none') throw notFound();
  return repo;
}

/** {@link repoOf} for those who may push. @throws {Refused} 401, 403 or 404 */
export function pushableRepoOf(context: HostingContext): Repo {
  const repo = repoOf(context);
  const account = callerOf(context);
  const permission = permissionOf(repo, account);
  if (permission !== 'push' && permission !== 'admin') throw notFound();
  return repo;
}

/** A whole number in the path. @throws {Refused} 404 */
export function numberParam(context: HostingContext, name: string): number {
  const text = context.param(name);
  if (!/^\d{1,15}$/.test(text)) throw notFound();
  return Number(text);
}

/** An optional string of a body. @throws {Refused} 422 where it is something else */
export function stringField(
  resource: string,
  body: Readonly<Record<string, unknown>>,
  field: string,
): string | undefined {
  const value = body[field];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string') throw invalid({ resource, field, code: 'invalid' });
  return value;
}

/** A string that a body must have. @throws {Refused} 422 */
export function requiredField(
  resource: string,
  body: Readonly<Record<string, unknown>>,
  field: string,
): string {
  const value = stringField(resource, body, field);
  if (value === undefined || value === '') {
    throw invalid({ resource, field, code: 'missing_field' });
  }
  return value;
}

/** An optional boolean of a body. @throws {Refused} 422 */
export function booleanField(
  resource: string,
  body: Readonly<Record<string, unknown>>,
  field: string,
): boolean | undefined {
  const value = body[field];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'boolean') throw invalid({ resource, field, code: 'invalid' });
  return value;
}
