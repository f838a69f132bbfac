import { decodedViews } from '../../masks/decoded-views.js';
import { mask } from '../../masks/secret-masks.js';
import { isSecretField, isSecretInResponse } from '../secret-names.js';
import { parseString, readJson } from './json-text.js';
import { FoundSecrets, findInParameters, findSecrets, isToken } from './text-secrets.js';
import { isSecretElement, spansOfAttributes, spansOfTexts } from './text-spans.js';

/** Secrets in a body and whether the body is JSON. */
interface BodySecrets {
  readonly secrets: FoundSecrets;
  readonly isJson: boolean;
}

/**
 * Finds the secrets in a body by their names.
 * @param contentType Media type. Unless the type names another format, text that looks like JSON is
 * read as JSON.
 * @param isRequest whether the body belongs to a request, in which more names are secret.
 */
export function findInBody(contentType: string, text: string, isRequest: boolean): BodySecrets {
  if (/\bx-www-form-urlencoded\b/i.test(contentType)) {
    return { secrets: findInParameters(text), isJson: false };
  }
  const isXml = /\bxml\b/i.test(contentType);
  const looksLikeJson = /^\s*[{[]/.test(text.slice(0, 100));
  if (/\bjson\b/i.test(contentType) || (!isXml && looksLikeJson)) {
    return findInJson(text, isRequest ? isSecretField : isSecretInResponse);
  }
  return { secrets: isXml ? findInXml(text) : findSecrets(text), isJson: false };
}

/**
 * Matches a number or literal. A word that doesn't match means that the text isn't JSON,
 * regardless of its media type.
 */
const jsonScalar = /^(?:-?\d[\d.e+-]*|true|false|null)$/i;

function findInJson(text: string, isSecretName: (name: string) => boolean): BodySecrets {
  const secrets = new FoundSecrets();
  let isJson = true;
  for (const { kind, start, end, isSecret } of readJson(text, isSecretName)) {
    const content = text.slice(start, end);
    if (kind === 'scalar') {
      isJson &&= jsonScalar.test(content);
      if (isSecret && !/^(?:true|false|null)$/i.test(content)) {
        secrets.spans.push([start, end, `"${mask}"`]);
        secrets.values.push(content);
      }
    } else if (isSecret && (kind === 'string' || isToken(parseString(content)))) {
      if (content === '') continue;
      secrets.spans.push([start, end]);
      secrets.values.push(parseString(content));
    } else {
      // Includes the opening quote, which may identify a secret. Excludes the closing quote,
      // because an unclosed quotation within the value would include it.
      const offset = start - 1;
      const part = findSecrets(text.slice(offset, end));
      secrets.add(part, (from, to) => [offset + from, offset + to]);
      if (content.includes('PRIVATE KEY')) secrets.spans.push([start, end]);
    }
  }
  if (!isJson) secrets.add(findSecrets(text), (...span) => span);
  return { secrets, isJson };
}

/** Matches a tag, or the text between tags. */
const xmlPiece = /<(\/?)(?:[\w.-]{1,60}:)?([\w.-]{1,128})(?:\s[^<>]{0,4000})?>|<+(?=<)|<?[^<]+|</g;

/**
 * Finds the text and attributes in elements with a secret name, even if the XML document is malformed.
 */
function findInXml(text: string): FoundSecrets {
  const secrets = findSecrets(text);
  /** Number of open elements, counted from the outermost secret element. */
  let depth = 0;
  for (const { 0: raw, 1: slash, 2: name, index } of text.matchAll(xmlPiece)) {
    if (slash === '/') {
      depth = Math.max(0, depth - 1);
    } else if (name === undefined) {
      if (depth === 0 || raw.trim() === '') continue;
      secrets.spans.push([index, index + raw.length]);
      for (const span of spansOfTexts(raw)) {
        for (const view of decodedViews(raw.slice(...span))) secrets.values.push(view.text);
      }
    } else {
      if (depth > 0 || isSecretField(name)) {
        for (const span of spansOfAttributes(raw, index)) secrets.spans.push(span);
      }
      const isOpen = !raw.endsWith('/>');
      if (isOpen && (depth > 0 || isSecretElement(raw, name, isSecretField))) depth++;
    }
  }
  return secrets;
}
