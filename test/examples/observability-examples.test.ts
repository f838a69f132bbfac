import { expect, test } from 'vitest';
import { runExample } from './run-example.js';

test('request-log tells of attempts, retries and broken connections', async () => {
  const { code, stdout, stderr } = await runExample('request-log');
  expect(code, stderr).toBe(0);
  expect(stdout).toMatch(/page=2 502 in \d+ ms, attempt 1/);
  expect(stdout).toMatch(/pulls\.list again in \d+ ms: 502/);
  expect(stdout).toMatch(/page=2 200 in \d+ ms, attempt 2/);
  expect(stdout).toMatch(/connection after \d+ ms, attempt 1/);
});

test('opentelemetry gives each attempt a span below that of its caller, also of two at once', async () => {
  const { code, stdout, stderr } = await runExample('opentelemetry');
  expect(code, stderr).toBe(0);
  expect(stdout).toMatch(/^star it\n {4}PUT starring\.star: 204$/m);
  expect(stdout).toMatch(
    /^collect the pulls \(retry\)\n {4}GET pulls\.list: 200\n {2}! GET pulls\.list: 502\n( {4}GET pulls\.list: 200\n){2}/m,
  );
});
