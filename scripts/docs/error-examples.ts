/** How a program meets each error, by its code: what it calls, and what it does about the error. */
const cases: Readonly<Record<string, readonly [call: string, answer: string]>> = {
  invalid_request: ["hosting.pulls.list({ owner: '', repo })", 'console.log(error.field)'],
  configuration: ['hosting.authorizations.list().first()', 'console.log(error.option)'],
  connection: [
    "hosting.releases.create({ owner, repo, tag_name: 'v1.0.0' })",
    "console.log(error.mayHaveActed ? 'look whether it is there' : 'send it again', error.cause)",
  ],
  timeout: [
    'hosting.pulls.get({ owner, repo, number: 1 }, { timeout: 2000 })',
    'console.log(error.kind)',
  ],
  redirect: ['hosting.pulls.get({ owner, repo, number: 1 })', 'console.log(error.location)'],
  unexpected_status: [
    'hosting.pulls.merge({ owner, repo, number: 1 })',
    'console.log(error.status)',
  ],
  bad_request: [
    "hosting.hub.subscribe({ 'hub.topic': topic, 'hub.callback': 'https://example.com/' })",
    'console.log(error.message)',
  ],
  authentication: [
    'hosting.starring.listStarred().first()',
    "console.log(error.reason === 'otp_required' ? 'give otp' : 'renew the token')",
  ],
  permission: [
    'hosting.hooks.list({ owner, repo }).first()',
    'console.log(error.reason, error.response.scopes.granted)',
  ],
  rate_limit: ['hosting.pulls.get({ owner, repo, number: 1 })', 'console.log(error.resetAt)'],
  not_found: [
    'hosting.pulls.get({ owner, repo, number: 1 })',
    "console.log('missing, or hidden from a token with', error.response.scopes.granted)",
  ],
  conflict: [
    'hosting.pulls.merge({ owner, repo, number: 1, sha })',
    "console.log('the head has moved: read it again')",
  ],
  unprocessable: [
    "hosting.releases.create({ owner, repo, tag_name: 'v1.0.0' })",
    'for (const { field, code } of error.errors) console.log(field, code)',
  ],
  server: ['hosting.pulls.get({ owner, repo, number: 1 })', 'console.log(error.retryAt)'],
  operation_failed: [
    "support.contacts.update({ contact_id: 1, name: 'Mona' })",
    'console.log(error.statusMessage)',
  ],
  oauth: ['oauth.exchangeCode({ code })', 'console.log(error.error)'],
  appliance_configuration: [
    'appliance.waitForConfiguration().done()',
    'console.log(error.step, error.status)',
  ],
  response_shape: [
    'hosting.pulls.get({ owner, repo, number: 1 })',
    'console.log(error.issues, error.data)',
  ],
  response_body: ['hosting.contents.getReadme({ owner, repo })', 'console.log(error.problem)'],
};

/** The example of a class, as a block of code. @throws for a code without one. */
export function errorExample(name: string, code: string): string {
  const body =
    code === 'signature' ? deliveryExample : attempt(...(cases[code] ?? missing(code)), name);
  return `<!-- snippet: prelude=endpoints -->\n\n\`\`\`ts\n${body}\n\`\`\``;
}

function attempt(call: string, answer: string, name: string): string {
  return `import { ${name} } from 'triforge';

try {
  await ${call};
} catch (error) {
  if (!(error instanceof ${name})) throw error;
  ${answer};
}`;
}

const deliveryExample = `import { SignatureError } from 'triforge';
import { parseDelivery } from 'triforge/webhooks';

export function receive(headers: Record<string, string>, body: Uint8Array) {
  try {
    return parseDelivery({ headers, body, secret });
  } catch (error) {
    if (!(error instanceof SignatureError)) throw error;
    console.log(error.problem);
    return undefined;
  }
}`;

function missing(code: string): never {
  throw new Error(`scripts/docs/error-examples.ts has no example for ${code}`);
}
