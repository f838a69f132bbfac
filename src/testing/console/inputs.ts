import { isRecord } from '../../schema/unknown-values.js';
import { checkFieldCount, parseForm, parseJson, parseJsonObject, readText } from '../bodies.js';
import type { FamilyRequest } from '../family.js';
import { HttpError, httpError } from '../reply.js';
import { createPart, type ReceivedPart, readMultipart } from './multipart.js';

/** A request's inputs by name, from a multipart form, a URL-encoded form, JSON or the query. */
export class Inputs {
  readonly #parts: ReadonlyMap<string, ReceivedPart>;

  constructor(parts: readonly ReceivedPart[]) {
    this.#parts = new Map(parts.map((part) => [part.name, part]));
  }

  part(name: string): ReceivedPart | undefined {
    return this.#parts.get(name);
  }

  /** Returns an input as text. @throws {HttpError} 400 if it is missing, empty or too large. */
  text(name: string): string {
    const content = this.part(name)?.content;
    if (!content || content.length === 0) throw httpError(400, `${name} is required`);
    return content.toString();
  }

  /** Returns an input as a JSON object. @throws {HttpError} 400 if it is missing or not a JSON object. */
  object(name: string): Record<string, unknown> {
    const value = parseJson(this.text(name));
    if (!isRecord(value)) throw httpError(400, `${name} must be a JSON object`);
    return value;
  }
}

/** Reads a request's inputs. @throws {HttpError} 400 if the body can't be read. */
export async function readInputs({ request, query }: FamilyRequest): Promise<Inputs> {
  const parts = [...query].map(createPart);
  const type = request.headers.get('content-type') ?? '';
  if (/^multipart\/form-data\b/i.test(type)) {
    try {
      return new Inputs([...parts, ...(await readMultipart(request))]);
    } catch (error) {
      if (error instanceof HttpError) throw error;
      throw httpError(400, 'the multipart form is truncated or malformed');
    }
  }
  const text = await readText(request);
  const isJson = /\bjson\b/i.test(type);
  const fields = isJson ? Object.entries(parseJsonObject(text)) : [...parseForm(text)];
  checkFieldCount(fields.length);
  return new Inputs([...parts, ...fields.map(createPart)]);
}
