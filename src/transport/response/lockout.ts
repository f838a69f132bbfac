const aboutLogins =
  /\blog[- ]?ins?\b|\bsign[- ]?ins?\b|\b(?:authentications?|passwords?|credentials?)\b/i;
const aboutAttempts = /\b(?:attempts?|tries|failed|failures?)\b/i;
const aboutAnEnd = /\b(?:max(?:imum)?|exceed(?:ed|s)?|too many|limit|lock(?:ed|out)|blocked)\b/i;

/**
 * Whether a 403 says that too many logins failed, after which valid credentials are
 * refused too. No words for it are fixed, and servers differ: it is known by what it speaks
 * of, or by the section of the documentation that it leads to.
 */
export function isLockout(message: string, documentationUrl: string | undefined): boolean {
  if (/#.*\b(?:failed-login|login-limit|lockout)/i.test(documentationUrl ?? '')) return true;
  if (/\brate limit\b/i.test(message)) return false;
  if (/too many (?:failed|invalid) attempts/i.test(message)) return true;
  return [aboutLogins, aboutAttempts, aboutAnEnd].every((words) => words.test(message));
}
