import { found, here, type Row, type Scene } from '../row.js';
import { comment, reference, references } from '../views.js';

const first = ({ rocket }: Scene) => found(rocket.comments[0], 'comment');
const newest = ({ rocket }: Scene) => found(rocket.comments.at(-1), 'comment');
const sha = ({ rocket }: Scene) => found(rocket.refs.get('heads/main'), 'main').sha;
export const commitComments: readonly Row[] = [
  {
    row: 'GET /repos/:owner/:repo/comments',
    methods: ['repos.listCommitComments', 'repos.listCommitCommentsForRepo'],
    parameters: { ...here, per_page: 100 },
    status: 200,
    data: (scene) => scene.rocket.comments.map((each) => comment(scene, each)),
  },
  {
    row: 'GET /repos/:owner/:repo/commits/:ref/comments',
    methods: ['repos.listCommentsForCommit'],
    parameters: (scene) => ({ ...here, commit_sha: sha(scene), per_page: 100 }),
    status: 200,
    data: (scene) => {
      const all = scene.rocket.comments.filter((each) => each.sha === sha(scene));
      return all.map((each) => comment(scene, each));
    },
  },
  {
    row: 'POST /repos/:owner/:repo/commits/:sha/comments',
    methods: ['repos.createCommitComment'],
    parameters: (scene) => ({
      ...here,
      commit_sha: sha(scene),
      body: 'New',
      path: 'src/index.ts',
      position: 1,
      line: 2,
    }),
    status: 201,
    data: (scene) => comment(scene, newest(scene)),
    after: (scene) => ({
      'the text is stored': newest(scene).body === 'New',
      'the path and position are stored':
        newest(scene).path === 'src/index.ts' && newest(scene).position === 1,
      'the line is stored': newest(scene).line === 2,
    }),
  },
  {
    row: 'GET /repos/:owner/:repo/comments/:id',
    methods: ['repos.getCommitComment'],
    parameters: (scene) => ({ ...here, comment_id: first(scene).id }),
    status: 200,
    data: (scene) => comment(scene, first(scene)),
  },
  {
    row: 'PATCH /repos/:owner/:repo/comments/:id',
    methods: ['repos.updateCommitComment'],
    parameters: (scene) => ({ ...here, comment_id: first(scene).id, body: 'Other' }),
    status: 200,
    data: (scene) => comment(scene, first(scene)),
    after: (scene) => ({ 'the text is updated': first(scene).body === 'Other' }),
  },
  {
    row: 'DELETE /repos/:owner/:repo/comments/:id',
    methods: ['repos.deleteCommitComment'],
    parameters: (scene) => ({ ...here, comment_id: first(scene).id }),
    status: 204,
    after: (scene) => ({ 'one comment is deleted': scene.rocket.comments.length === 44 }),
  },
];

const part = 'heads/feature/part-1';

export const gitRefs: readonly Row[] = [
  {
    row: 'GET /repos/:owner/:repo/git/refs/:ref',
    methods: ['git.listRefs'],
    parameters: { ...here, namespace: part },
    status: 200,
    // The response is one reference rather than a list, although the name of part-10 also starts
    // with this name.
    data: (scene) => reference(scene, part),
  },
  {
    row: 'GET /repos/:owner/:repo/git/refs',
    methods: ['git.listRefs'],
    parameters: { ...here, per_page: 100 },
    status: 200,
    data: (scene) => references(scene),
  },
  {
    row: 'POST /repos/:owner/:repo/git/refs',
    methods: ['git.createRef'],
    parameters: (scene) => ({ ...here, ref: 'refs/heads/feature/new', sha: sha(scene) }),
    status: 201,
    data: (scene) => reference(scene, 'heads/feature/new'),
  },
  {
    row: 'PATCH /repos/:owner/:repo/git/refs/:ref',
    methods: ['git.updateRef'],
    before: ({ emulator, rocket }) => emulator.hosting.addFile(rocket, 'later.txt', 'later'),
    parameters: (scene) => ({ ...here, ref: part, sha: sha(scene), force: false }),
    status: 200,
    data: (scene) => reference(scene, part),
    after: (scene) => ({
      'the reference points to the new commit': scene.rocket.refs.get(part)?.sha === sha(scene),
    }),
  },
  {
    row: 'DELETE /repos/:owner/:repo/git/refs/:ref',
    methods: ['git.deleteRef'],
    parameters: { ...here, ref: part },
    status: 204,
    after: ({ rocket }) => ({
      'the reference is deleted': !rocket.refs.has(part),
      'the reference part-10 still exists': rocket.refs.has(`${part}0`),
    }),
  },
];
