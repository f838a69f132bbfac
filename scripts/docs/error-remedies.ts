/** What to do about an error, by its code: the one part of `docs/errors.md` that stands in no source. */
export const remedies: Readonly<Record<string, string>> = {
  invalid_request: 'Mend the input that `field` names. Nothing was sent.',
  configuration:
    'Mend the option that `option` names, or use a client with the credentials that the message asks for. Nothing was sent.',
  connection:
    'Look at `cause`: name, port, certificate, proxy. Where `mayHaveActed` is true, look whether a write was done before you repeat it.',
  timeout:
    'Repeat it later, or give more time: `timeout` of the client or the call. Where `mayHaveActed` is true, look whether a write was done first.',
  redirect:
    'See where `location` points. A `baseUrl` with http in place of https, or an old host name, is the usual reason; `trustedOrigins` is for origins that belong to the service.',
  unexpected_status:
    'Read `status` and the message: the server refused for a reason without a class.',
  bad_request: 'Read the message: the server could not read the request.',
  authentication:
    '`bad_credentials`: renew or correct the credentials. `otp_required`: give `otp` with Basic authentication.',
  permission:
    '`forbidden`: compare `response.scopes`, or ask for the right. `login_lockout`: stop, correct the password, and wait; each further try makes the lock last.',
  rate_limit:
    "Come back at `resetAt`, or let the client wait: `rateLimit: { onLimit: 'wait' }`. `secondary`: send less at once (`maxConcurrency`).",
  not_found:
    'Check the names. Private things are hidden, not forbidden: compare `response.scopes.granted`.',
  conflict: 'Read the present state (a newer `sha`, a merge in the way) and try again from there.',
  unprocessable: 'Mend what `errors` lists, by `field` and `code`.',
  server:
    'Repeat it later (`retryAt`, where the server says). If it stays, tell the operators `response.requestId`.',
  operation_failed: 'Read `statusMessage`: the support API refused what was asked.',
  oauth: 'See [OAuth](oauth.md#what-can-go-wrong), word by word.',
  appliance_configuration:
    "See the appliance's log of the `step`, mend its settings, and configure again.",
  response_shape:
    "The request was done. See `issues` for what differs; `data` has the answer. A server of another kind: `vendor`, or `validation: 'warn'`.",
  response_body:
    'Of a write: it was done; look. `too_large`: raise `maxResponseBytes`, or stream. `truncated`: repeat the read. `unexpected_type`, `invalid_json`: is it the API that answers at `baseUrl`, or a login page?',
  signature:
    '`mismatch`: compare the secrets. `not_raw`: [verify before a body parser](webhooks.md#the-raw-body). `missing`, `malformed`: no sender of ours; answer 401.',
};
