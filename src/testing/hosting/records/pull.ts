import * as z from 'zod/mini';
import * as check from '../../checks.js';
import { sha1 } from '../../random.js';
import {
  type DataOf,
  field,
  type Loose,
  type Origin,
  type RecordOf,
  record,
} from '../../record.js';
import { dated, headSha, ownerLogin, type ParentRepo } from './shared-fields.js';

const sideCheck = z.strictObject({ ref: check.text(), sha: check.text(), login: check.text() });

/** One side of a pull request. */
export interface PullSide {
  /** Name of the branch. */
  readonly ref: string;
  /** SHA-1 of the commit. */
  readonly sha: string;
  /** Login of the repository's owner. */
  readonly login: string;
}

function createSide(ref: string, { owner: login }: ParentRepo, number: unknown): PullSide {
  return { ref, login, sha: sha1(ref, String(number)) };
}

export const pullKind = record(
  {
    /** Numeric ID. */
    id: field(check.id(), ({ id }) => id),
    /** Number in the repository. */
    number: field(
      check.id(),
      ({ parent }: Origin<ParentRepo>) =>
        parent.pulls.reduce((most, pull) => Math.max(most, pull.number), 0) + 1,
    ),
    /** Title. */
    title: field(check.text(), (_, { number }) => `Pull request ${number}`),
    /** Text in Markdown. */
    body: field(check.nullText(), null),
    /** State. */
    state: field(z.enum(['open', 'closed']), 'open'),
    /** Login of the author. */
    login: ownerLogin,
    ...dated,
    /** Closing time in ISO 8601. Null if open. */
    closedAt: field(check.nullTime(), ({ now }, { state }) => (state === 'closed' ? now : null)),
    /** Time of the merge in ISO 8601. Null if not merged. */
    mergedAt: field(check.nullTime(), null),
    /** SHA-1 of the merge commit. */
    mergeCommitSha: field(check.nullText(), null),
    /** Number of comments. */
    comments: field(check.count(), 0),
    /** Source branch. */
    head: field(sideCheck, ({ parent }: Origin<ParentRepo>, { number }) =>
      createSide(`topic-${number}`, parent, number),
    ),
    /** Target branch. */
    base: field(sideCheck, ({ parent }: Origin<ParentRepo>, { number }) => ({
      ...createSide(parent.defaultBranch, parent, number),
      sha: headSha(parent),
    })),
  },
  ['number'],
);

/** A pull request. */
export interface Pull extends RecordOf<typeof pullKind> {}

/** A pull request in a world file. */
export interface PullData extends DataOf<typeof pullKind> {}

/** Properties of a new pull request. */
export type NewPull = Loose<Omit<Pull, 'id' | 'number'>>;
