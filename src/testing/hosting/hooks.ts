import { readForm } from '../bodies.js';
import { empty, HttpError, json } from '../reply.js';
import { checkScopes, hasAccess, requireAdminRepo, requireCaller, withId } from './access.js';
import type { HostingContext, HostingRoute, HostingRoutes } from './context.js';
import { type Collection, created, crud, type Rendered, removeFrom } from './crud.js';
import { deliver, listensTo, ping, pushPayload } from './events.js';
import { type Body, booleanField, hashField, requiredField, stringsField } from './fields.js';
import {
  type HookRecord,
  hookServices,
  isEvent,
  isSecretSetting,
  type ServiceDefinition,
} from './records/hook.js';
import type { Repo } from './records/repository.js';
import { invalid, unauthorized, unprocessable } from './refusals.js';
import { repoUrl } from './render.js';

const resource = 'Hook';
const levels = ['read', 'write', 'admin'] as const;

/**
 * Returns the scopes that grant at least the specified level of access to hooks. Each level
 * includes the levels below it.
 */
function listHookScopes(least: (typeof levels)[number]): string[] {
  return levels.slice(levels.indexOf(least)).map((level) => `${level}:repo_hook`);
}

/** Returns a service by name. @throws {HttpError} 422 if it is unknown. */
export function findService(name: string): ServiceDefinition {
  const service = hookServices.find((each) => each.name === name);
  if (!service) throw invalid(resource, 'name', 'invalid');
  return service;
}

/** Renders a hook with its secrets masked, as servers do. */
function renderHook(context: HostingContext, repo: Repo, hook: HookRecord): Rendered {
  const url = `${repoUrl(context, repo)}/hooks/${hook.id}`;
  const service = findService(hook.name);
  const config = Object.entries(hook.config).map(([name, value]) => {
    return [name, value !== '' && isSecretSetting(service, name) ? '********' : value];
  });
  return {
    url,
    test_url: `${url}/test`,
    ping_url: `${url}/pings`,
    id: hook.id,
    name: hook.name,
    active: hook.active,
    events: hook.events,
    config: Object.fromEntries(config),
    last_response: hook.lastResponse,
    updated_at: hook.updatedAt,
    created_at: hook.createdAt,
  };
}

/** Converts settings to strings, with booleans as `1` and `0`. Adds the generic service's defaults. */
export function parseConfig(service: ServiceDefinition, settings: Body): Record<string, string> {
  const config: Record<string, string> =
    service.name === 'web' ? { content_type: 'form', insecure_ssl: '0' } : {};
  for (const [name, value] of Object.entries(settings)) {
    if (value === null) continue;
    if (typeof value === 'object') throw invalid(resource, 'config', 'invalid');
    config[name] = typeof value === 'boolean' ? (value ? '1' : '0') : String(value);
  }
  checkConfig(service, config);
  return config;
}

/**
 * Checks a service's settings.
 * @throws {HttpError} 422 if a setting is invalid. The response names the setting.
 */
function checkConfig(service: ServiceDefinition, config: Readonly<Record<string, string>>): void {
  const refuse = (field: string, code = 'invalid') => invalid(resource, field, code);
  for (const [name, type] of Object.entries(service.schema)) {
    const value = config[name];
    if (type === 'boolean' && value !== undefined && value !== '0' && value !== '1') {
      throw refuse(name);
    }
  }
  if (service.name !== 'web') return;
  const { url = '', content_type: contentType = '', insecure_ssl: insecure = '' } = config;
  if (url === '') throw refuse('url', 'missing_field');
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) throw refuse('url');
  if (contentType !== 'json' && contentType !== 'form') throw refuse('content_type');
  if (insecure !== '0' && insecure !== '1') throw refuse('insecure_ssl');
}

/**
 * Returns a hook's events without duplicates. `*` means all events and replaces all other names.
 * @throws {HttpError} 422 if an event is unsupported.
 */
export function parseEvents(service: ServiceDefinition, events: readonly string[]): string[] {
  if (events.includes('*')) return ['*'];
  if (events.some((event) => !service.supported.includes(event))) {
    throw invalid(resource, 'events', 'invalid');
  }
  return [...new Set(events)];
}

const hooks: Collection<Repo, HookRecord> = {
  open(context, action) {
    const level = { read: 'read', create: 'write', update: 'write', delete: 'admin' } as const;
    return requireAdminRepo(context, ...listHookScopes(level[action]));
  },
  list: (_, repo) => repo.hooks,
  linked: 'always',
  render: renderHook,
  update(context, _, hook, body) {
    const service = findService(hook.name);
    const passed = hashField(resource, body, 'config');
    const config = passed && parseConfig(service, passed);
    const replace = stringsField(resource, body, 'events');
    const add = stringsField(resource, body, 'add_events') ?? [];
    const remove = new Set(stringsField(resource, body, 'remove_events'));
    const kept = (replace ?? hook.events).filter((event) => !remove.has(event));
    const events = parseEvents(service, [...kept, ...add]);
    const active = booleanField(resource, body, 'active');
    hook.events = events;
    hook.config = config ?? hook.config;
    hook.active = active ?? hook.active;
    hook.updatedAt = context.clock.iso();
  },
  remove: (_, repo, hook) => removeFrom(repo.hooks, hook),
};

/**
 * Sends the latest push to one hook if the hook subscribes to pushes. Responds with 204 even if it
 * doesn't.
 */
const test: HostingRoute = (context) => {
  const repo = hooks.open(context, 'read');
  const hook = withId(context, repo.hooks);
  const commit = repo.commits.get(repo.refs.get(`heads/${repo.defaultBranch}`)?.sha ?? '');
  if (commit && listensTo(hook, 'push')) {
    const payload = pushPayload(context, repo, `refs/heads/${repo.defaultBranch}`, commit);
    deliver(context, repo, hook, 'push', payload);
  }
  return empty(204);
};

const base = '/repos/:owner/:repo/hooks';

export const hookRoutes: HostingRoutes = {
  'GET /hooks': (context) => {
    requireCaller(context);
    checkScopes(context, ...listHookScopes('read'));
    const services = hookServices.map(({ name, events, supported, schema }) => {
      const settings = Object.entries(schema).map(([setting, type]) => [type, setting]);
      return { name, events, supported_events: supported, schema: settings };
    });
    return json(200, services);
  },

  ...crud(base, hooks),
  [`POST ${base}`]: async (context) => {
    const repo = hooks.open(context, 'create');
    const body = await context.body();
    // On GitHub, `name` is optional, and current clients omit it.
    const isOptional = context.service.vendor === 'github' && body.name === undefined;
    const service = findService(isOptional ? 'web' : requiredField(resource, body, 'name'));
    const settings = hashField(resource, body, 'config');
    if (!settings) throw invalid(resource, 'config', 'missing_field');
    const config = parseConfig(service, settings);
    const events = parseEvents(service, stringsField(resource, body, 'events') ?? service.events);
    const active = booleanField(resource, body, 'active') ?? true;
    // A repository can have only one hook for each service except `web`, so an existing hook is
    // updated.
    const existing =
      service.name !== 'web' && repo.hooks.find((hook) => hook.name === service.name);
    if (existing) {
      Object.assign(existing, { config, events, active, updatedAt: context.clock.iso() });
      return json(200, renderHook(context, repo, existing));
    }
    const hook = context.world.addHook(repo, config, { name: service.name, events, active });
    ping(context, repo, hook);
    return created(renderHook(context, repo, hook));
  },

  [`POST ${base}/:id/tests`]: test,
  [`POST ${base}/:id/test`]: test,
  [`POST ${base}/:id/pings`]: (context) => {
    const repo = hooks.open(context, 'read');
    ping(context, repo, withId(context, repo.hooks));
    return empty(204);
  },
};

/** A parsed topic, which names a repository's event. */
interface Topic {
  readonly repo: Repo;
  readonly event: string;
  /** Whether deliveries contain raw JSON instead of a form. */
  readonly raw: boolean;
}

/**
 * Parses a topic of the form `{web_url}/:owner/:repo/events/:event[.json]`.
 * @throws {HttpError} 422 if the topic is invalid or the caller doesn't administer the repository.
 */
function parseTopic(context: HostingContext, topic: string): Topic {
  // Ignores the origin, because callers may reach the emulator under a different host name.
  const path = URL.canParse(topic) ? new URL(topic).pathname : '';
  const [, owner = '', name = '', event = '', suffix] =
    /^\/([^/]+)\/([^/]+)\/events\/([a-z_*]+)(\.json)?$/.exec(path) ?? [];
  const repo = context.state.repo(owner, name);
  if (!repo || !hasAccess(context, repo, 'admin')) {
    throw unprocessable(`Invalid topic: ${topic}`);
  }
  if (!isEvent(event)) throw unprocessable(`Invalid event: ${event}`);
  const raw = suffix !== undefined || context.accept === 'application/json';
  return { repo, event, raw };
}

interface Callback {
  readonly service: ServiceDefinition;
  readonly config: Readonly<Record<string, string>>;
}

/**
 * Parses a callback: `http://…` for the generic service, or `<vendor>://irc?server=…` for another service and
 * its settings.
 * @throws {HttpError} 422 if the callback is invalid.
 */
function parseCallback(context: HostingContext, form: URLSearchParams, { raw }: Topic): Callback {
  const callback = form.get('hub.callback') ?? '';
  const secret = form.get('hub.secret');
  const own = secret ? { secret } : {};
  const refused = () => unprocessable(`Invalid callback: ${callback}`);
  if (!URL.canParse(callback)) throw refused();
  const url = new URL(callback);
  if (url.protocol === 'http:' || url.protocol === 'https:') {
    const config = { url: callback, content_type: raw ? 'json' : 'form', ...own };
    return { service: findService('web'), config };
  }
  const service = hookServices.find(({ name }) => name === url.hostname);
  if (url.protocol !== `${context.service.vendor}:` || !service) throw refused();
  return { service, config: { ...Object.fromEntries(url.searchParams), ...own } };
}

function findExisting({ hooks }: Repo, { service, config }: Callback): HookRecord | undefined {
  const named = hooks.filter(({ name }) => name === service.name);
  return named.find((hook) => hook.name !== 'web' || hook.config.url === config.url);
}

/** Creates a hook, or adds the event to an existing hook. */
function subscribe(context: HostingContext, { repo, event }: Topic, callback: Callback): void {
  const { service } = callback;
  const config = refuseWith('Invalid callback', () => parseConfig(service, callback.config));
  const existing = findExisting(repo, callback);
  const events = refuseWith(`${event} is not supported`, () =>
    parseEvents(service, [...(existing?.events ?? []), event]),
  );
  if (existing) {
    Object.assign(existing, { config, events, active: true, updatedAt: context.clock.iso() });
    return;
  }
  ping(context, repo, context.world.addHook(repo, config, { name: service.name, events }));
}

/** Replaces an HTTP error with a 422 that has only a message, as the service does. */
function refuseWith<T>(message: string, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    throw error instanceof HttpError ? unprocessable(message) : error;
  }
}

/** Removes the event from the hook. Removes the hook if no events remain. */
function unsubscribe({ repo, event }: Topic, callback: Callback): void {
  const existing = findExisting(repo, callback);
  if (!existing) return;
  existing.events = existing.events.filter((each) => each !== event);
  if (existing.events.length === 0) removeFrom(repo.hooks, existing);
}

export const hubRoutes: HostingRoutes = {
  'POST /hub': async (context) => {
    if (context.caller.scheme !== 'basic') throw unauthorized('Requires Basic authentication');
    const form = await readForm(context.request);
    const mode = form.get('hub.mode');
    if (mode !== 'subscribe' && mode !== 'unsubscribe') {
      throw unprocessable(`Invalid hub.mode: ${mode ?? ''}`);
    }
    const topic = parseTopic(context, form.get('hub.topic') ?? '');
    const callback = parseCallback(context, form, topic);
    if (mode === 'unsubscribe') unsubscribe(topic, callback);
    else subscribe(context, topic, callback);
    return empty(204);
  },
};
