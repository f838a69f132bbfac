import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, expectTypeOf, it } from 'vitest';
import type { EventPayloads } from '../../src/webhooks/index.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

it('a payload type contains typed fields, and undeclared fields are unknown', () => {
  expectTypeOf<EventPayloads['pull_request']['pull_request']['title']>().toEqualTypeOf<string>();
  expectTypeOf<EventPayloads['release']['release']['tag_name']>().toEqualTypeOf<string>();
  expectTypeOf<EventPayloads['issues']['issue']['title']>().toEqualTypeOf<string>();
  expectTypeOf<EventPayloads['issue_comment']['comment']['body']>().toEqualTypeOf<string>();
  expectTypeOf<EventPayloads['issue_comment']['issue']['number']>().toEqualTypeOf<number>();
  type Commit = NonNullable<EventPayloads['push']['head_commit']>;
  expectTypeOf<Commit['message']>().toEqualTypeOf<string>();
  expectTypeOf<Commit['verification']>().toBeUnknown();
  expectTypeOf<EventPayloads['pull_request']['pull_request']['draft']>().toBeUnknown();
  expectTypeOf<EventPayloads['pull_request']['label']>().toBeUnknown();
});

it('the type of an action lists the known actions and allows newer actions', () => {
  const action: EventPayloads['pull_request']['action'] = 'a newer action';
  expectTypeOf<'synchronize'>().toExtend<typeof action>();
  expectTypeOf<undefined>().not.toExtend<EventPayloads['watch']['action']>();
  expectTypeOf<undefined>().not.toExtend<EventPayloads['pull_request']['action']>();
});

/** Recorded deliveries by event, from the oldest server version in the package. */
const recorded: readonly { readonly name: string; readonly examples: readonly unknown[] }[] =
  createRequire(import.meta.url)('@octokit/webhooks-examples/ghes-31/index.json');

const known: Record<keyof EventPayloads, true> = {
  commit_comment: true,
  create: true,
  delete: true,
  deployment: true,
  deployment_status: true,
  fork: true,
  gollum: true,
  issue_comment: true,
  issues: true,
  member: true,
  page_build: true,
  ping: true,
  public: true,
  pull_request: true,
  pull_request_review_comment: true,
  push: true,
  release: true,
  status: true,
  team_add: true,
  watch: true,
};

describe('recorded deliveries', () => {
  const events = recorded.filter(({ name }) => name in known);

  it('recorded deliveries cover every event', () => {
    expect(events.map(({ name }) => name).sort()).toEqual(Object.keys(known));
  });

  it('every recorded payload has the type of its event', () => {
    const lines = events.flatMap(({ name, examples }) =>
      // Two statements, because the compiler reports undeclared properties in a typed literal.
      examples.flatMap((payload, index) => [
        `const ${name}${index} = ${JSON.stringify(payload)};`,
        `export const ${name}Typed${index}: EventPayloads['${name}'] = ${name}${index};`,
      ]),
    );
    const program = `${root}test/types/recorded-payloads.ts`;
    const text = [
      "import type { EventPayloads } from '../../src/webhooks/payloads.js';",
      ...lines,
    ].join('\n');
    const options: ts.CompilerOptions = {
      module: ts.ModuleKind.NodeNext,
      target: ts.ScriptTarget.ES2023,
      strict: true,
      types: [],
      noEmit: true,
      skipLibCheck: true,
    };
    const host = ts.createCompilerHost(options);
    const { fileExists, getSourceFile } = host;
    host.fileExists = (path) => path === program || fileExists(path);
    host.getSourceFile = (path, ...rest) =>
      path === program
        ? ts.createSourceFile(path, text, ts.ScriptTarget.ES2023, true)
        : getSourceFile(path, ...rest);
    const compiled = ts.createProgram([program], options, host);
    const errors = compiled.getSemanticDiagnostics(compiled.getSourceFile(program));
    expect(
      errors.map(({ start = 0, messageText }) =>
        [
          text.slice(0, start).split('\n').at(-1)?.slice(13, 50),
          text.slice(start, start + 40),
          ts.flattenDiagnosticMessageText(messageText, ' '),
        ].join(' … '),
      ),
    ).toEqual([]);
    expect(lines.length).toBeGreaterThan(20);
  });
});
