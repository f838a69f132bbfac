import * as z from 'zod/mini';
import * as check from '../../src/testing/checks.js';
import { served } from '../../src/testing/hosting/records/served.js';
import { field, type Origin, record, required } from '../../src/testing/record.js';

/** Record kind that the emulator doesn't have, declared like the built-in kinds. */
export const milestoneKind = served(
  record(
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
      dueOn: field(check.nullTime(), null),
      createdAt: field(check.time(), ({ now }) => now),
      updatedAt: field(check.time(), ({ now }) => now),
    },
    ['number'],
  ),
  {
    resource: 'Milestone',
    key: 'number',
    writable: ['title', 'state', 'dueOn'],
    render: ({ number, title, state, login, dueOn, updatedAt }, { user }) => ({
      number,
      title,
      state,
      creator: user(login),
      due_on: dueOn,
      updated_at: updatedAt,
    }),
  },
);
