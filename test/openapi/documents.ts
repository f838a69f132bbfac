import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { SupportClient } from '../../src/index.js';
import { consoleSeed, seeded, supportSeed } from '../../src/testing/index.js';

const Schema = z.record(z.string(), z.unknown());
const Operation = z.looseObject({
  operationId: z.string(),
  parameters: z.array(
    z.object({
      name: z.string(),
      in: z.enum(['path', 'query']),
      required: z.boolean().default(false),
      schema: Schema.default({}),
    }),
  ),
  requestBody: z.optional(
    z.object({ content: z.record(z.string(), z.object({ schema: Schema })) }),
  ),
  responses: z.record(z.string(), z.unknown()),
  security: z.optional(z.array(Schema)),
});
const verbs = ['get', 'post', 'put', 'patch', 'delete'] as const;
const Document = z.object({
  paths: z.record(z.string(), z.partialRecord(z.enum([...verbs, 'servers']), z.unknown())),
});

/** An operation of a document, with its method and path. */
export interface DocumentedOperation extends z.infer<typeof Operation> {
  readonly method: string;
  readonly path: string;
  /** Whether the operation belongs to the web interface. */
  readonly isWeb: boolean;
}

/** Reads all operations in `openapi/<api>.json`. */
export function readAllOperations(api: string): DocumentedOperation[] {
  const text = readFileSync(join(process.cwd(), 'openapi', `${api}.json`), 'utf8');
  const { paths } = Document.parse(JSON.parse(text));
  return Object.entries(paths).flatMap(([path, item]) =>
    verbs.flatMap((method) =>
      item[method] === undefined
        ? []
        : [
            {
              ...Operation.parse(item[method]),
              method,
              path,
              isWeb: item.servers !== undefined,
            },
          ],
    ),
  );
}

/** Reads the operations in `openapi/<api>.json`, except the web interface's operations. */
export const readOperations = (api: string) => readAllOperations(api).filter(({ isWeb }) => !isWeb);

/** The seed's credentials as headers and query parameters. */
export interface SeedCredentials {
  readonly headers: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
}

/** Returns a function that selects the seed's credentials for an operation. */
export async function readCredentials(
  api: string,
  url: string,
): Promise<(operation: DocumentedOperation) => SeedCredentials> {
  const basic = (user: string, password: string) => ({
    headers: { authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` },
    query: {},
  });
  if (api === 'console') return () => basic('license', consoleSeed.licenseMd5);
  if (api === 'support') {
    await using client = new SupportClient({ baseUrl: url, auth: supportSeed });
    const { accessToken } = await client.authenticate();
    return () => ({ headers: {}, query: { access_token: accessToken } });
  }
  return ({ security = [] }) =>
    security.some((each) => 'application' in each)
      ? basic(seeded.clientId, seeded.clientSecret)
      : basic(seeded.login, seeded.password);
}
