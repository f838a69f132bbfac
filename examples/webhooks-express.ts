// Receive webhooks in Express
//
// Verifies each delivery and passes it to the handler. Responds with a 202 when the handler is done, or with
// a 500 if the handler fails, so the sender can redeliver. The listener must come before any body parser,
// because the signature covers the raw bytes. In another terminal, [send a delivery](send-test-delivery.ts).
//
//     npm install express @types/express
//     HOOK_SECRET='a shared secret of ours' npx tsx node_modules/triforge/examples/webhooks-express.ts
import express from 'express';
import { createNodeListener } from 'triforge/webhooks';

const { HOOK_SECRET = '', PORT = '8080' } = process.env;

const app = express();
app.post(
  '/hooks',
  createNodeListener({
    secret: HOOK_SECRET,
    onDelivery: ({ event, id, payload }) => {
      if (event === 'ping') console.log(`hook ${payload.hook_id} says: ${payload.zen}`);
      else if (event === 'push') console.log(`${payload.sender?.login} pushed to ${payload.ref}`);
      else console.log(`${event} ${id}: ignored`);
    },
    onError: (error, { status }) => console.error(`responded with ${status}:`, error),
  }),
);

const server = app.listen(Number(PORT), '127.0.0.1', () => {
  const address = server.address();
  console.log(`http://127.0.0.1:${typeof address === 'object' ? address?.port : PORT}/hooks`);
});
