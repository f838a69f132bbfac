import { readForm } from '../bodies.js';
import { empty, HttpError } from '../reply.js';
import { hasAccess } from './access.js';
import type { HostingContext, HostingRoutes } from './context.js';
import { removeFrom } from './crud.js';
import { ping } from './events.js';
import { findService, parseConfig, parseEvents } from './hooks.js';
import { type HookRecord, hookServices, isEvent, type ServiceDefinition } from './records/hook.js';
import type { Repo } from './records/repository.js';
import { unauthorized, unprocessable } from './refusals.js';

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

/** Replaces an HTTP error with a 422 that has only a message, as the service sends it. */
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
