import { readdirSync } from 'node:fs';
import type ts from 'typescript';
import * as z from 'zod';
import { authorizeEndpoint } from '../../src/hosting/oauth/web-flow.js';
import { type AnyEndpoint, clientMethods } from './client-methods.js';
import { type MethodDocs, methodDocs } from './source-docs.js';

/** A method that sends a request, with its endpoint and docstring. */
export interface DocumentedMethod {
  /** Full name, such as `hosting.pulls.list`. */
  readonly name: string;
  /** Method and path. */
  readonly http: string;
  readonly endpoint: AnyEndpoint;
  readonly docs: MethodDocs;
  /** Statuses of the responses in the contract tests. Default: 200. */
  readonly statuses: readonly number[];
  /** Body of the first successful response in the contract tests. */
  readonly example: unknown;
}

/** Lists all clients' methods that send a request. */
export async function listMethods(program: ts.Program): Promise<DocumentedMethod[]> {
  const cases = await listCases();
  const docs = methodDocs(program);
  return clientMethods().flatMap(({ name, className, method, ...captured }) => {
    const described = docs.get(`${className}.${method}`);
    const endpoint = method === 'authorizeUrl' ? authorizeEndpoint : captured.endpoint;
    if (described?.http === undefined || endpoint === undefined) return [];
    const { http } = described;
    const own = cases.filter(({ operation, row }) =>
      operation === undefined ? row === http : operation === name.replace('hosting.', ''),
    );
    const statuses = own.length > 0 ? own.map(({ status }) => status) : [200];
    const example = own.find(({ status }) => status < 300)?.reply;
    return [{ name, http, endpoint, docs: described, statuses, example }];
  });
}

const Case = z.object({
  row: z.optional(z.string()),
  operation: z.optional(z.string()),
  status: z.number(),
  reply: z.optional(z.unknown()),
});

/** Lists the cases in `test/contract/rows`. */
async function listCases(): Promise<z.infer<typeof Case>[]> {
  const folder = new URL('../../test/contract/rows/', import.meta.url);
  const modules: readonly object[] = await Promise.all(
    readdirSync(folder).map((file) => import(new URL(file, folder).href)),
  );
  const values: readonly unknown[] = modules.flatMap(Object.values).flat();
  return values.flatMap((each) => Case.safeParse(each).data ?? []);
}
