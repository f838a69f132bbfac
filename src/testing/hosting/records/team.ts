import * as z from 'zod/mini';
import * as check from '../../checks.js';
import { converted, field, type RecordOf, record, required } from '../../record.js';

const asSet = {
  decode: (names: readonly string[]) => new Set(names),
  encode: (names: Set<string>) => [...names],
};

export const teamKind = record({
  /** Numeric ID. */
  id: field(check.id(), ({ id }) => id),
  /** Login of the organization. */
  org: required(check.slug()),
  /** Name of the team. */
  name: required(check.name()),
  /** Access level of the members. */
  permission: field(check.permission(), 'pull'),
  /** Logins of the members. */
  members: converted(check.texts(), () => new Set<string>(), asSet),
  /** Repositories, as `owner/name`. */
  repos: converted(z.array(check.fullName()), () => new Set<string>(), asSet),
});

/** An organization's team. */
export interface TeamRecord extends RecordOf<typeof teamKind> {}

/** Properties of a new team. */
export interface NewTeam {
  /** Access level of the members. Default: `pull`. */
  readonly permission?: TeamRecord['permission'] | undefined;
  /** Logins of the members. */
  readonly members?: readonly string[] | undefined;
  /** Repositories, as `owner/name`. */
  readonly repos?: readonly string[] | undefined;
}
