import * as z from 'zod/mini';
import { asSchema } from '../record.js';
import { numberParam, openRepo } from './access.js';
import type { HostingRoutes } from './context.js';
import { type Collection, crud, removeFrom } from './crud.js';
import { type Body, toSnakeCase } from './fields.js';
import { type Repo, repositoryKind } from './records/repository.js';
import { isServed, type ServedKind } from './records/served.js';
import { invalid, notFound } from './refusals.js';
import { renderUser } from './render.js';

type AnyRecord = Record<string, unknown> & { readonly id: number };

/** Routes for kinds declared with `served`. */
export const servedRecordRoutes: HostingRoutes = Object.assign(
  {},
  ...Object.entries(repositoryKind.fields).map(([name, { of }]) => {
    if (!of || !isServed(of)) return {};
    const path = toSnakeCase(name);
    return crud(`/repos/:owner/:repo/${path}`, createCollection(name, path, of));
  }),
);

function createCollection(
  name: string,
  path: string,
  kind: ServedKind,
): Collection<Repo, AnyRecord> {
  const { key = 'id', first, writable, render } = kind.service;
  const listIn = (repo: Repo): AnyRecord[] => {
    const lists = new Map<string, unknown>(Object.entries(repo));
    // `as`: the field contains the kind's records.
    return lists.get(name) as AnyRecord[];
  };
  const write: Pick<Collection<Repo, AnyRecord>, 'create' | 'update'> = {
    create({ caller, world }, repo, body) {
      const values = { login: caller.account?.login, ...readServedFields(kind, body, 'create') };
      // `as`: a served kind's records belong to a repository and have an ID.
      const made = world.createRecord(kind, repo as never, values) as AnyRecord;
      listIn(repo).push(made);
      return made;
    },
    update({ clock }, _, record, body) {
      const values = readServedFields(kind, body, 'update');
      Object.assign(record, values, 'updatedAt' in record && { updatedAt: clock.iso() });
    },
  };
  return {
    open: openRepo,
    list: (_, repo) => (first === 'newest' ? listIn(repo).toReversed() : listIn(repo)),
    find(context, repo) {
      const value = numberParam(context, 'id');
      const found = listIn(repo).find((each) => each[key] === value);
      if (!found) throw notFound();
      return found;
    },
    render(context, repo, record) {
      const full = `${repo.owner}/${repo.name}`;
      const url = `${context.api}/repos/${full}/${path}/${record[key]}`;
      const user = (login: string) => renderUser(context, login);
      return { url, ...render(record, { url, origin: context.origin, repo: full, user }) };
    },
    remove: (_, repo, record) => removeFrom(listIn(repo), record),
    ...(writable && write),
  };
}

/**
 * Reads a body's writable fields. Treats null as omitted, unless the field can be null.
 * @throws {HttpError} 422 if a field is invalid, or a required field is missing.
 */
function readServedFields(
  { fields, service }: ServedKind,
  body: Body,
  action: 'create' | 'update',
) {
  const values: Record<string, unknown> = {};
  for (const name of service.writable ?? []) {
    const { check, inFiles, decode } = fields[name] ?? {};
    const key = toSnakeCase(name);
    const value = body[key];
    const valid = check !== undefined && z.safeParse(asSchema(check), value).success;
    const omitted = value === undefined || (value === null && !valid);
    const required = inFiles === 'required';
    if (required && (value === '' || (omitted && action === 'create'))) {
      throw invalid(service.resource, key, 'missing_field');
    }
    if (omitted) continue;
    if (!valid) throw invalid(service.resource, key, 'invalid');
    values[name] = decode?.(value);
  }
  return values;
}
