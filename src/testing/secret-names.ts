const headers =
  /authorization$|^(?:set-)?cookie$|otp$|token|secret|passw|credential|key$|(?:^|-)auth$|^authentication$/i;
/** With an underscore between words. */
const fields =
  /^(?:license(?:_md5)?|bind_dn|code|secret_key_data|(?:set_)?cookie|(?:.*_)?(?:authorization|otp|api_?key|(?:access|private|secret)_key|tokens?|secrets?|passwords?|passphrase))$/i;
const tokenInPath = /(\/applications\/[^/]+\/tokens\/)[^/?]+/;

/** What stands in place of a secret. */
export const mask = '***';

/** Whether a parameter or a JSON member of this name is a secret. */
export function isSecretField(name: string): boolean {
  // Forms nest with brackets: `user[password]`.
  const own = /([^[\]]+)\](?:\[\])?$/.exec(name.slice(-100))?.[1] ?? name;
  return fields.test(
    own.replace(/([a-z\d])([A-Z])|([A-Z])(?=[A-Z][a-z])/g, '$1$3_$2').replace(/[-.]/g, '_'),
  );
}

/** The value of a header field (its name in lower case); of a credential its scheme alone. */
export function maskHeader(name: string, value: string): string {
  if (!headers.test(name)) return value;
  const scheme = /authorization$/i.test(name) ? /^\S+(?= )/.exec(value)?.[0] : undefined;
  return scheme === undefined ? mask : `${scheme} ${mask}`;
}

/** Path and query (or a URL) without the credentials that stand in them. */
export function maskTarget(target: string): string {
  const at = target.indexOf('?');
  const path = (at < 0 ? target : target.slice(0, at)).replace(tokenInPath, `$1${mask}`);
  return at < 0 ? path : `${path}?${maskPairs(target.slice(at + 1))}`;
}

/** A query or a form without its secrets. */
export function maskPairs(pairs: string): string {
  // Only where a name begins: from within a long one each try would read on to its end.
  return pairs.replace(/(?<![^=&])([^=&]+)=([^&]*)/g, (whole: string, name: string) =>
    isSecretField(decoded(name)) ? `${name}=${mask}` : whole,
  );
}

function decoded(name: string): string {
  return new URLSearchParams(`${name}=`).keys().next().value ?? name;
}
