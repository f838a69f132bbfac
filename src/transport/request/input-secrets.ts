/**
 * Returns the strings and numbers in a value, at any depth of arrays and objects, as they are sent.
 * Any of these values may be a secret.
 */
export function collectLeaves(value: unknown): string[] {
  const leaves: string[] = [];
  const seen = new Set<unknown>();
  const left: unknown[] = [value];
  // The loop also visits elements that are added during the iteration.
  for (const each of left) {
    if (typeof each === 'string') {
      if (each !== '') leaves.push(each);
    } else if (typeof each === 'number' || typeof each === 'bigint') {
      leaves.push(String(each));
    } else if (typeof each === 'object' && each !== null && !seen.has(each)) {
      seen.add(each);
      // Push the members one by one, because a function call can't take a hundred thousand
      // arguments.
      for (const inner of listJsonMembers(each)) left.push(inner);
    }
  }
  return leaves;
}

/**
 * Returns the value that JSON contains in place of an object. For example, a `URL` becomes a
 * string.
 */
function toPlainJson(value: object): unknown {
  if (value instanceof String || value instanceof Number) return value.valueOf();
  if (!('toJSON' in value) || typeof value.toJSON !== 'function') return value;
  try {
    return value.toJSON();
  } catch {
    return value; // Creating the body fails too and reports the error.
  }
}

function listJsonMembers(value: object): Iterable<unknown> {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? [] : [value.toJSON()];
  if (value instanceof Uint8Array) return [Buffer.from(value).toString()];
  if (value instanceof Map || value instanceof Set) return value.values();
  const json = toPlainJson(value);
  // As in `JSON.stringify`, `toJSON` isn't called on the result.
  return typeof json === 'object' && json !== null ? Object.values(json) : [json];
}

/** Matches names of parameters and properties that contain a secret in any API. */
const secretName =
  /token|secret|pass(?:w|phrase|code)|api[-_]?key|private|credential|md5|[-_](?:key|otp)$|^otp[-_]/i;
/** Matches secret names in camel case, such as `accessKey`. */
const secretCamel = /[a-z\d]Key$/;
/**
 * Matches secret names of top-level parameters. Within objects, properties with these names are
 * often harmless.
 */
const secretParameter = /^(?:code|otp)$/i;
/** Matches names of secret headers, such as `X-GatewayKey` or `X-Authorization`. */
const secretHeader = /(?:key|auth(?:orization)?)$|jwt|bearer|cookie/i;

export function secretsInHeaders(headers: Iterable<readonly [string, string]>): string[] {
  return [...headers].flatMap(([name, value]) =>
    (secretHeader.test(name) ? collectLeaves(value) : findNamedSecrets([[name, value]])).flatMap(
      splitHeaderSecrets,
    ),
  );
}

/**
 * Returns a header's value and the secrets in it, because a server may repeat each part separately.
 * The secrets are the credentials after a scheme (`Bearer …`), a Basic password, and values of
 * parameters and cookies (`a=…; b=…`).
 */
function splitHeaderSecrets(value: string): string[] {
  const [, scheme = '', rest = ''] = /^([a-z][\w-]*) +(.*)$/i.exec(value) ?? [];
  const pair = scheme.toLowerCase() === 'basic' ? Buffer.from(rest, 'base64').toString() : '';
  const values = [...value.matchAll(/(?:^|[;,\s])[\w.-]+=("?)([^;,\s"]+)\1/g)].map(
    ([, , each = '']) => each,
  );
  return [value, rest, pair.slice(pair.indexOf(':') + 1), ...values].filter((each) => each !== '');
}

/** Finds secrets in inputs by their names, at any depth. */
export function findNamedSecrets(entries: Iterable<readonly [string, unknown]>): string[] {
  const secrets: string[] = [];
  const seen = new Set<object>();
  const left: (readonly [string, unknown])[] = [];
  for (const [name, value] of entries) {
    left.push([name, value]);
    if (secretParameter.test(name)) secrets.push(...collectLeaves(value));
  }
  for (const [name, value] of left) {
    if (secretName.test(name) || secretCamel.test(name)) secrets.push(...collectLeaves(value));
    else if (typeof value === 'object' && value !== null && !seen.has(value)) {
      seen.add(value);
      // The loop also visits these entries. Push them one by one, because a function call can't
      // take a hundred thousand arguments.
      for (const entry of Object.entries(toPlainJson(value) ?? {})) left.push(entry);
    }
  }
  return secrets;
}
