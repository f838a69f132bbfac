// Send a test delivery to a webhook receiver
//
// Signs a `push` event as the server does, and posts it to a receiver. Run this program manually or in tests.
//
//     HOOK_SECRET='a shared secret of ours' npx tsx node_modules/triforge/examples/send-test-delivery.ts http://127.0.0.1:8080/hooks
import { createHmac, randomUUID } from 'node:crypto';

const { HOOK_SECRET: secret = '' } = process.env;
const [url = 'http://127.0.0.1:8080/hooks'] = process.argv.slice(2);

const body = JSON.stringify({ ref: 'refs/heads/main', sender: { login: 'mona' } });
const headers = {
  'content-type': 'application/json',
  'x-service-event': 'push',
  'x-service-delivery': randomUUID(),
  'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
};
const response = await fetch(url, { method: 'POST', headers, body });
console.log(response.status, (await response.text()).trim());
