// Receive webhooks in Fastify
//
// Verifies each delivery and passes it to the handler. Responds with a 202 when the handler is done, or with
// a 500 if the handler fails, so the sender can redeliver. The signature covers the raw bytes, so the plugin
// with this route removes Fastify's body parsers. Other routes keep the parsers. In another terminal,
// [send a delivery](send-test-delivery.ts).
//
//     npm install fastify
//     HOOK_SECRET='a shared secret of ours' npx tsx node_modules/triforge/examples/webhooks-fastify.ts
import fastify from 'fastify';
import { createNodeListener } from 'triforge/webhooks';

const { HOOK_SECRET = '', PORT = '8080' } = process.env;

const listener = createNodeListener({
  secret: HOOK_SECRET,
  onDelivery: ({ event, id, payload }) => {
    if (event === 'ping') console.log(`hook ${payload.hook_id} says: ${payload.zen}`);
    else if (event === 'push') console.log(`${payload.sender?.login} pushed to ${payload.ref}`);
    else console.log(`${event} ${id}: ignored`);
  },
  onError: (error, { status }) => console.error(`responded with ${status}:`, error),
});

const app = fastify();
await app.register((hooks, _options, done) => {
  hooks.removeAllContentTypeParsers();
  hooks.addContentTypeParser('*', (_request, _body, parsed) => parsed(null));
  hooks.post('/hooks', (request, reply) => {
    reply.hijack();
    listener(request.raw, reply.raw);
  });
  done();
});
console.log(`${await app.listen({ port: Number(PORT), host: '127.0.0.1' })}/hooks`);
