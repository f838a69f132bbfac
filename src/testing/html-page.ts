import { createHash } from 'node:crypto';
import { createReply, type Reply } from './reply.js';

/**
 * Headers of the emulator's own pages and data. The headers keep other sites from framing or embedding
 * this content.
 */
export const ownHeaders = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
} as const;

/** Inline style and script of an HTML page. Browsers ignore any other style or script. */
export interface Inline {
  /** Text of the page's `style` element. */
  readonly style: string;
  /** Text of the page's script, which may send requests to the emulator. */
  readonly script?: string | undefined;
}

/**
 * Creates an HTML page. Its content security policy has no `form-action`, because the OAuth form
 * redirects to the application.
 */
export function htmlPage(status: number, html: string, { style, script }: Inline): Reply {
  const policy = [
    "default-src 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    'img-src data:',
    `style-src ${hashSource(style)}`,
    ...(script === undefined ? [] : [`script-src ${hashSource(script)}`, "connect-src 'self'"]),
  ];
  const headers = { ...ownHeaders, 'content-security-policy': policy.join('; ') };
  return createReply(status, 'text/html; charset=utf-8', html, headers);
}

function hashSource(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}
