import { found, here, type Row, type Scene } from '../row.js';
import { build, download, hook } from '../views.js';

const createSite = ({ rocket }: Scene) => found(rocket.pages, 'site');
const latest = (scene: Scene) => found(createSite(scene).builds.at(-1), 'build');

export const pages: readonly Row[] = [
  {
    row: 'GET /repos/:owner/:repo/pages',
    methods: ['repos.getPages'],
    before: (scene) => {
      createSite(scene).cname = 'rocket.example.com';
      createSite(scene).custom404 = true;
    },
    parameters: here,
    status: 200,
    data: (scene) => ({
      url: `${scene.url}/api/v3/repos/acme/rocket/pages`,
      status: latest(scene).status,
      cname: 'rocket.example.com',
      custom_404: true,
    }),
  },
  {
    row: 'GET /repos/:owner/:repo/pages/builds',
    methods: ['repos.listPagesBuilds'],
    parameters: { ...here, per_page: 100 },
    status: 200,
    data: (scene) =>
      createSite(scene)
        .builds.map((each) => build(scene, each))
        .reverse(),
  },
  {
    row: 'GET /repos/:owner/:repo/pages/builds/latest',
    methods: ['repos.getLatestPagesBuild'],
    parameters: here,
    status: 200,
    data: (scene) => build(scene, latest(scene)),
  },
];

const newest = ({ rocket }: Scene) => found(rocket.hooks.at(-1), 'hook');
const hookHere = (scene: Scene) => ({ ...here, hook_id: newest(scene).id });
/** Returns a hook URL at which no server listens. Deliveries are read from the emulator's log. */
const receiver = (scene: Scene) => `${scene.url}/receiver`;
const addHook = (scene: Scene) => {
  scene.emulator.hosting.addHook(
    scene.rocket,
    { url: receiver(scene), content_type: 'json', insecure_ssl: '0', secret: 's' },
    { events: ['push', 'issues'] },
  );
};

async function sent({ emulator }: Scene): Promise<string> {
  await emulator.hosting.deliveriesSettled();
  return emulator.hosting.deliveries.map((delivery) => delivery.event).join();
}

export const hooks: readonly Row[] = [
  {
    row: 'GET /repos/:owner/:repo/hooks',
    methods: ['repos.listHooks', 'repos.listWebhooks'],
    before: addHook,
    parameters: here,
    status: 200,
    data: (scene) => scene.rocket.hooks.map((each) => hook(scene, each)),
    after: ({ rocket }) => ({ 'one hook exists': rocket.hooks.length === 1 }),
  },
  {
    row: 'GET /repos/:owner/:repo/hooks/:id',
    methods: ['repos.getHook', 'repos.getWebhook'],
    before: addHook,
    parameters: hookHere,
    status: 200,
    data: (scene) => hook(scene, newest(scene)),
  },
  {
    row: 'POST /repos/:owner/:repo/hooks',
    methods: ['repos.createHook', 'repos.createWebhook'],
    parameters: (scene) => ({
      ...here,
      name: 'web',
      config: { url: receiver(scene), content_type: 'json', secret: 's', insecure_ssl: '1' },
      events: ['push', 'pull_request'],
      active: true,
    }),
    status: 201,
    data: (scene) => hook(scene, newest(scene)),
    after: async (scene) => ({
      'the events are stored': newest(scene).events.join() === 'push,pull_request',
      'the URL is stored': newest(scene).config.url === receiver(scene),
      'a ping was delivered': (await sent(scene)) === 'ping',
    }),
  },
  {
    row: 'PATCH /repos/:owner/:repo/hooks/:id',
    methods: ['repos.updateHook', 'repos.updateWebhook'],
    before: addHook,
    parameters: (scene) => ({
      ...hookHere(scene),
      config: { url: `${receiver(scene)}/other` },
      add_events: ['watch'],
      remove_events: ['issues'],
      active: false,
    }),
    status: 200,
    data: (scene) => hook(scene, newest(scene)),
    after: (scene) => ({
      'the events are updated': newest(scene).events.join() === 'push,watch',
      'the whole config is replaced': !('secret' in newest(scene).config),
      'the hook is inactive': !newest(scene).active,
    }),
  },
  {
    row: 'POST /repos/:owner/:repo/hooks/:id/tests',
    methods: ['repos.testPushHook', 'repos.testPushWebhook'],
    before: addHook,
    parameters: hookHere,
    status: 204,
    after: async (scene) => ({ 'a push was delivered': (await sent(scene)) === 'push' }),
  },
  {
    row: 'POST /repos/:owner/:repo/hooks/:id/pings',
    methods: ['repos.pingHook', 'repos.pingWebhook'],
    before: addHook,
    parameters: hookHere,
    status: 204,
    after: async (scene) => ({ 'a ping was delivered': (await sent(scene)) === 'ping' }),
  },
  {
    row: 'DELETE /repos/:owner/:repo/hooks/:id',
    methods: ['repos.deleteHook', 'repos.deleteWebhook'],
    before: addHook,
    parameters: hookHere,
    status: 204,
    after: ({ rocket }) => ({ 'the hook is deleted': rocket.hooks.length === 0 }),
  },
];

const oldest = ({ rocket }: Scene) => found(rocket.downloads[0], 'download');

/** Requests for downloads. Only the old client has methods for them. */
export const downloads: readonly Row[] = [
  {
    row: 'GET /repos/:owner/:repo/downloads',
    methods: ['repos.listDownloads'],
    parameters: here,
    status: 200,
    data: (scene) => scene.rocket.downloads.map((each) => download(scene, each)).reverse(),
  },
  {
    row: 'GET /repos/:owner/:repo/downloads/:id',
    methods: ['repos.getDownload'],
    parameters: (scene) => ({ ...here, download_id: oldest(scene).id }),
    status: 200,
    data: (scene) => download(scene, oldest(scene)),
  },
  {
    row: 'DELETE /repos/:owner/:repo/downloads/:id',
    methods: ['repos.deleteDownload'],
    parameters: (scene) => ({ ...here, download_id: oldest(scene).id }),
    status: 204,
    after: ({ rocket }) => ({ 'one download is deleted': rocket.downloads.length === 2 }),
  },
];
