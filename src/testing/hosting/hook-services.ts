import { hookEvents } from '../../hosting/models/hook-event.js';

/** A service that hooks can deliver to. */
export interface HookService {
  readonly name: string;
  /** Events of a new hook. */
  readonly events: readonly string[];
  readonly supported: readonly string[];
  readonly schema: readonly (readonly [type: 'string' | 'password' | 'boolean', name: string])[];
}

/** Services of the emulator: the generic one and a few of the real ones. */
export const hookServices: readonly HookService[] = [
  {
    name: 'campfire',
    events: ['push', 'pull_request', 'issues'],
    supported: ['gollum', 'issues', 'public', 'pull_request', 'push'],
    schema: [
      ['string', 'subdomain'],
      ['string', 'room'],
      ['string', 'token'],
      ['boolean', 'play_sound'],
    ],
  },
  {
    name: 'email',
    events: ['push'],
    supported: ['public', 'push'],
    schema: [
      ['string', 'address'],
      ['password', 'secret'],
      ['boolean', 'send_from_author'],
    ],
  },
  {
    name: 'irc',
    events: ['push', 'pull_request'],
    supported: ['commit_comment', 'issue_comment', 'issues', 'pull_request', 'push'],
    schema: [
      ['string', 'server'],
      ['string', 'port'],
      ['string', 'room'],
      ['string', 'nick'],
      ['password', 'password'],
      ['boolean', 'ssl'],
    ],
  },
  {
    name: 'railsbp',
    events: ['push'],
    supported: ['push'],
    schema: [
      ['string', 'railsbp_url'],
      ['string', 'token'],
    ],
  },
  {
    name: 'web',
    events: ['push'],
    supported: hookEvents.filter((event) => event !== '*'),
    schema: [
      ['string', 'url'],
      ['string', 'secret'],
      ['string', 'content_type'],
      ['string', 'insecure_ssl'],
    ],
  },
];

/** Names of settings that answers mask. */
export function isSecretSetting(service: HookService, name: string): boolean {
  if (name === 'secret') return true;
  return service.schema.some(([type, setting]) => type === 'password' && setting === name);
}
