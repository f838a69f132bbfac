import { found, here, type Row, type Scene } from '../row.js';
import { asset, release } from '../views.js';

const first = ({ rocket }: Scene) => found(rocket.releases[0], 'release');
const newest = ({ rocket }: Scene) => found(rocket.releases.at(-1), 'release');
const draft = ({ rocket }: Scene) => found(rocket.releases[12], 'draft');
const firstHere = (scene: Scene) => ({ ...here, release_id: first(scene).id });
const path = '/repos/:owner/:repo/releases';

export const releases: readonly Row[] = [
  {
    row: `GET ${path}`,
    methods: ['repos.listReleases'],
    parameters: { ...here, per_page: 100 },
    status: 200,
    data: (scene) => {
      const all = scene.rocket.releases.toSorted((a, b) => b.createdAt.localeCompare(a.createdAt));
      return all.map((each) => release(scene, each));
    },
  },
  {
    row: `GET ${path}/:id`,
    methods: ['repos.getRelease'],
    parameters: firstHere,
    status: 200,
    data: (scene) => release(scene, first(scene)),
  },
  {
    row: `POST ${path}`,
    methods: ['repos.createRelease'],
    parameters: { ...here, tag_name: 'v9', name: 'Nine', body: 'Notes', draft: true },
    status: 201,
    data: (scene) => release(scene, newest(scene)),
    after: (scene) => ({
      'the tag name is stored': newest(scene).tagName === 'v9',
      'the name and the notes are stored':
        newest(scene).name === 'Nine' && newest(scene).body === 'Notes',
      'the release is a draft': newest(scene).draft,
    }),
  },
  {
    row: `PATCH ${path}/:id`,
    methods: ['repos.updateRelease'],
    parameters: (scene) => ({ ...here, release_id: draft(scene).id, draft: false }),
    status: 200,
    data: (scene) => release(scene, draft(scene)),
    after: (scene) => ({ 'the release is published': draft(scene).publishedAt !== null }),
  },
  {
    row: `DELETE ${path}/:id`,
    notInContract: true,
    methods: ['repos.deleteRelease'],
    parameters: firstHere,
    status: 204,
    after: ({ rocket }) => ({ 'one release is deleted': rocket.releases.length === 39 }),
  },
  {
    // The old client uploads to the complete `url`. The new client uploads to a path below `baseUrl`.
    row: `POST ${path}/:id/assets`,
    notInContract: true,
    methods: ['repos.uploadReleaseAsset'],
    parameters: (scene) => ({
      ...firstHere(scene),
      url: `${scene.url}/api/uploads/repos/acme/rocket/releases/${first(scene).id}/assets{?name,label}`,
      baseUrl: `${scene.url}/api`,
      name: 'a.txt',
      data: 'text',
      file: 'text',
      headers: { 'content-type': 'text/plain', 'content-length': 4 },
    }),
    status: 201,
    data: (scene) => asset(scene, found(first(scene).assets[0], 'asset')),
    after: (scene) => ({
      'the asset contains the uploaded bytes':
        first(scene).assets[0]?.content?.toString() === 'text',
    }),
  },
];
