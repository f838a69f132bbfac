// Sends random requests to a new emulator and reports the outcome to the parent process. Runs in a
// separate process, because the test limits and measures its memory. Arguments: seed, number of
// requests.
import { setImmediate } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { createEmulator, type Emulator, supportSeed } from '../../src/testing/index.js';
import { generateRequests, type MadeUp } from './generated-requests.js';

/** Timeout for a response, in ms. Much longer than any response takes, even on a busy machine. */
const patience = 20_000;

/** A run's result. */
export interface FuzzRun {
  /** Number of responses by status. */
  readonly statuses: Readonly<Record<number, number>>;
  /** The first 20 errors, unexpected 500s and missing responses. */
  readonly failures: readonly string[];
  /** Highest resident memory in MB, measured after every 1000 requests. */
  readonly megabytes: number;
}

async function fuzz(seed: number, count: number): Promise<FuzzRun> {
  const emulator = createEmulator();
  emulator.hosting.setRateLimit(Number.MAX_SAFE_INTEGER);
  const statuses: Record<number, number> = {};
  const failures: string[] = [];
  let megabytes = 0;
  const requests = generateRequests(emulator, seed, await getSession(emulator));
  for (let at = 1; at <= count; at++) {
    const request = requests.next().value;
    const before = at % 10 === 0 ? JSON.stringify(emulator.snapshot()) : undefined;
    let outcome = await getOutcome(emulator.respond, request);
    if (before !== undefined) outcome = checkWorld(emulator, before, outcome);
    if (typeof outcome === 'number') statuses[outcome] = (statuses[outcome] ?? 0) + 1;
    else if (failures.length < 20) {
      const { method, target, body } = request;
      failures.push(`${method} ${target} ${body?.slice(0, 200)}: ${outcome}`);
    }
    // Weak references and finalizers are processed only between tasks.
    if (at % 100 === 0) await setImmediate();
    if (at % 1000 === 0 || at === count) {
      emulator.hosting.unlock();
      megabytes = Math.max(megabytes, process.memoryUsage().rss / 1e6);
    }
  }
  await emulator.close();
  return { statuses, failures, megabytes };
}

/**
 * Returns an error if a rejected request changed the world, or if the world can't be restored.
 * Otherwise, returns the outcome.
 */
function checkWorld(emulator: Emulator, before: string, outcome: number | string) {
  const world = JSON.stringify(emulator.snapshot());
  if (Number(outcome) >= 400 && world !== before) return `${outcome}, but the world changed`;
  if (world === before) return outcome;
  const copy = createEmulator({ seed: JSON.parse(world) });
  const isSame = isDeepStrictEqual(copy.snapshot(), JSON.parse(world));
  return isSame ? outcome : `${outcome}, but the restored world differs`;
}

async function getSession({ respond }: Emulator): Promise<string> {
  const body = new URLSearchParams({ ...supportSeed });
  const target = 'http://127.0.0.1/api/v2/authenticate';
  const { access_token: token }: { access_token: string } = JSON.parse(
    await (await respond(new Request(target, { method: 'POST', body }))).text(),
  );
  return token;
}

type Answer = (request: Request, rawPath?: string) => Promise<Response>;

async function getOutcome(respond: Answer, { method, target, headers, body }: MadeUp) {
  const bodyless = method === 'GET' || method === 'HEAD';
  const url = `http://127.0.0.1${target}`;
  const init = { method, headers, ...(!bodyless && body !== undefined && { body }) };
  const request = new Request(URL.canParse(url) ? url : 'http://127.0.0.1/', init);
  let timer: NodeJS.Timeout | undefined;
  try {
    const late = new Promise<string>((resolve) => {
      timer = setTimeout(() => resolve('no response'), patience);
    });
    const come = respond(request, target).then(async (response) => {
      const text = await response.text();
      // The service responds with 500 if an author's name or email is missing.
      const expected = response.status !== 500 || text === '{"message":"Server Error"}';
      return expected ? response.status : `500 ${text}`;
    });
    return await Promise.race([come, late]);
  } catch (error) {
    return error instanceof Error ? (error.stack ?? error.message) : String(error);
  } finally {
    clearTimeout(timer);
  }
}

const [seed = 1, count = 1] = process.argv.slice(2).map(Number);
process.send?.(await fuzz(seed, count));
