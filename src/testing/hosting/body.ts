import { parseForm, parseJson, parseMediaType, readText } from '../bodies.js';
import { HttpError, httpError, json } from '../reply.js';

/**
 * Reads a body as an object. Accepts a form, or JSON with or without a content type. Also accepts
 * JSON labeled as a form, because some clients send it.
 * @throws {HttpError} 400 if it is not a JSON object, 413 if it is too large, 415 for another
 * content type.
 */
export async function readBody(request: Request): Promise<Record<string, unknown>> {
  const text = await readText(request);
  if (text.trim() === '') return {};
  const type = parseMediaType(request.headers);
  const isForm = type === 'application/x-www-form-urlencoded';
  if (isForm && !/^\s*[[{]/.test(text)) return Object.fromEntries(parseForm(text));
  if (type !== '' && !isForm && !/^application\/(?:[^/]+\+)?json$/.test(type)) {
    throw httpError(415, `Body should be application/json, got ${type}`);
  }
  const value = parseJson(text);
  if (value === undefined) throw new HttpError(json(400, { message: 'Problems parsing JSON' }));
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new HttpError(json(400, { message: 'Body should be a JSON Hash' }));
  }
  return Object.fromEntries(Object.entries(value));
}
