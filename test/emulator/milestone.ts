import * as z from 'zod/mini';
import * as check from '../../src/testing/checks.js';
import { numberParam, openRepo, requireCaller } from '../../src/testing/hosting/access.js';
import { type Collection, crud, removeFrom } from '../../src/testing/hosting/crud.js';
import {
  createFieldReader,
  filledField,
  readFields,
  requiredField,
} from '../../src/testing/hosting/fields.js';
import type { Repo } from '../../src/testing/hosting/records/repository.js';
import { notFound } from '../../src/testing/hosting/refusals.js';
import { renderUser, repoUrl } from '../../src/testing/hosting/render.js';
import { field, type Origin, type RecordOf, record, required } from '../../src/testing/record.js';

/** A record kind that the emulator doesn't have. It is declared like the emulator's own kinds. */
export const milestoneKind = record(
  {
    id: field(check.id(), ({ id }) => id),
    number: field(
      check.id(),
      ({ parent }: Origin<{ readonly milestones: readonly object[] }>) =>
        parent.milestones.length + 1,
    ),
    title: required(check.name()),
    state: field(z.enum(['open', 'closed']), 'open'),
    login: field(check.text(), 'nobody'),
    createdAt: field(check.time(), ({ now }) => now),
    updatedAt: field(check.time(), ({ now }) => now),
  },
  ['number'],
);

type Milestone = RecordOf<typeof milestoneKind>;
type Parent = Repo & { readonly milestones: Milestone[] };

const state = createFieldReader((value) => value === 'open' || value === 'closed');

const milestones: Collection<Parent, Milestone> = {
  // `as`: the test adds the milestones to the kind of repositories.
  open: (context, action) => openRepo(context, action) as Parent,
  list: (_, repo) => repo.milestones,
  find(context, { milestones }) {
    const number = numberParam(context, 'id');
    const found = milestones.find((each) => each.number === number);
    if (!found) throw notFound();
    return found;
  },
  render: (context, repo, { number, title, state, login, updatedAt }) => ({
    url: `${repoUrl(context, repo)}/milestones/${number}`,
    number,
    title,
    state,
    creator: renderUser(context, login),
    updated_at: updatedAt,
  }),
  create(context, repo, body) {
    const { login } = requireCaller(context);
    const input = readFields('Milestone', body, { title: requiredField, state });
    const milestone = context.world.createRecord(milestoneKind, repo, { ...input, login });
    repo.milestones.push(milestone);
    return milestone;
  },
  update({ clock }, _, milestone, body) {
    const input = readFields('Milestone', body, { title: filledField, state });
    Object.assign(milestone, input, { updatedAt: clock.iso() });
  },
  remove: (_, repo, milestone) => removeFrom(repo.milestones, milestone),
};

export const milestoneRoutes = crud('/repos/:owner/:repo/milestones', milestones);
