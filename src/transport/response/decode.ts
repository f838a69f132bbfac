import { isAscii, isUtf8 } from 'node:buffer';
import type { BodyProblem } from '../../errors/index.js';
import { mediaTypeOf } from '../http/media-type.js';
import { headerOf, type RawHeaders } from '../http/raw-response.js';

/** A decoded body, or why it can't be. */
export type Decoded =
  | { readonly ok: true; readonly value: unknown }
  | {
      readonly ok: false;
      readonly problem: BodyProblem;
      readonly detail: string;
      readonly cause?: unknown;
    };

/**
 * JSON by its looks, not by its label: consoles send it as `text/html`. A body that is ASCII is read
 * as latin1, which gives the same text in half the time (measured).
 */
export function decodeJson(body: Buffer, headers: RawHeaders): Decoded {
  const text = textOf(body);
  if (text === undefined) {
    return { ok: false, problem: 'undecodable', detail: 'the body is not valid UTF-8' };
  }
  if (text.trim() === '') {
    return { ok: false, problem: 'empty', detail: 'the body is empty where JSON was expected' };
  }
  try {
    const value: unknown = JSON.parse(text);
    return { ok: true, value };
  } catch (cause) {
    const type = mediaTypeOf(headerOf(headers, 'content-type')).type;
    const foreign = /^\s*</.test(text);
    return {
      ok: false,
      problem: foreign ? 'unexpected_type' : 'invalid_json',
      detail: foreign
        ? `expected JSON, got ${type === '' ? 'markup' : type}`
        : `the body is not valid JSON (${body.length} bytes)`,
      cause,
    };
  }
}

/** A body as text, without its byte-order mark; undefined where it is not UTF-8. */
export function textOf(body: Buffer): string | undefined {
  if (isAscii(body)) return body.toString('latin1');
  if (!isUtf8(body)) return undefined;
  const marked = body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf;
  return body.toString('utf8', marked ? 3 : 0);
}

/** An error's body is asked for by those who look for a limit, and by those who make the error. */
const decodedErrors = new WeakMap<Buffer, unknown>();

/** The body of an error answer, as far as it can be read: JSON, else text, never a failure. */
export function decodeErrorBody(body: Buffer, headers: RawHeaders): unknown {
  if (decodedErrors.has(body)) return decodedErrors.get(body);
  const decoded = decodeJson(body, headers);
  const value = decoded.ok ? decoded.value : (textOf(body) ?? body.toString('latin1'));
  decodedErrors.set(body, value);
  return value;
}
