import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './command.js';
import { emptyProject, install } from './consumer.js';
import { features, featuresInJavaScript, scope } from './features.js';

const tools = [
  'babel-jest',
  '@babel/core@7',
  '@babel/preset-env@7',
  'ts-jest@29',
  '@types/jest@30',
];

const config = {
  projects: [
    { displayName: 'require', testMatch: ['**/plain.test.js'], transform: {} },
    {
      displayName: 'babel-jest',
      testMatch: ['**/babel.test.js'],
      transform: {
        js: ['babel-jest', { presets: [['@babel/preset-env', { targets: { node: 'current' } }]] }],
      },
    },
    {
      displayName: 'ts-jest',
      testMatch: ['**/typescript.test.ts'],
      transform: { ts: ['ts-jest', { tsconfig: 'tsconfig.json' }] },
    },
  ],
};

const test = (body: string) => `
test('triforge works in Jest', async () => {
  const failed = [];
  const check = (what, holds) => holds || failed.push(what);
  ${body}
  expect(failed).toEqual([]);
}, 60_000);
`;

/** Tests the package in Jest's default CommonJS mode with `require`, babel-jest and ts-jest. */
export function runInJest(folder: string, packages: readonly string[]): void {
  emptyProject(folder);
  install(folder, [...packages, ...tools]);
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
  write('jest.config.json', JSON.stringify(config));
  write(
    'tsconfig.json',
    JSON.stringify({
      compilerOptions: {
        target: 'es2022',
        module: 'node16',
        moduleResolution: 'node16',
        strict: true,
        esModuleInterop: true,
        types: ['node', 'jest'],
      },
    }),
  );
  write('plain.test.js', scope.require + test(featuresInJavaScript));
  write('babel.test.js', scope.import + test(featuresInJavaScript));
  const typed = test(features)
    .replace('failed = []', 'failed: string[] = []')
    .replace('(what, holds)', '(what: string, holds: boolean)');
  write('typescript.test.ts', scope.import + typed);
  run('npx', ['jest', '--config', 'jest.config.json'], folder);
}
