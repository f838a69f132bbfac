// Receive webhooks in Hono
//
// Verifies each delivery and passes it to the handler. Responds with a 202 when the handler is done, or with
// a 500 if the handler fails, so the sender can redeliver. `createFetchHandler` also works with other
// frameworks that use `Request` and `Response`. In another terminal, [send a delivery](send-test-delivery.ts).
//
//     npm install hono @hono/node-server
//     HOOK_SECRET='a shared secret of ours' npx tsx node_modules/triforge/examples/webhooks-hono.ts
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { createFetchHandler } from 'triforge/webhooks';

const { HOOK_SECRET = '', PORT = '8080' } = process.env;

const receive = createFetchHandler({
  secret: HOOK_SECRET,
  onDelivery: ({ event, id, payload }) => {
    if (event === 'ping') console.log(`hook ${payload.hook_id} says: ${payload.zen}`);
    else if (event === 'push') console.log(`${payload.sender?.login} pushed to ${payload.ref}`);
    else console.log(`${event} ${id}: ignored`);
  },
  onError: (error, { status }) => console.error(`responded with ${status}:`, error),
});

const app = new Hono();
app.post('/hooks', (context) => receive(context.req.raw));
serve({ fetch: app.fetch, port: Number(PORT), hostname: '127.0.0.1' }, ({ port }) => {
  console.log(`http://127.0.0.1:${port}/hooks`);
});
