import { setImmediate } from 'node:timers/promises';
import { createEmulator, type Emulator, supportSeed } from '../../src/testing/index.js';
import { type MadeUp, requestsOf } from './requests.js';

/** More than any request takes, also on a busy machine. */
const patience = 20_000;

/** How a run went. */
export interface FuzzRun {
  /** How many answers there were of each status. */
  readonly statuses: ReadonlyMap<number, number>;
  /** What must not be: an error, a 500 that the contract does not want, an answer that never came. */
  readonly failures: readonly string[];
}

/** Asks a fresh emulator so many random requests. @param each called after each thousand. */
export async function fuzz(seed: number, count: number, each?: () => void): Promise<FuzzRun> {
  const emulator = createEmulator();
  emulator.hosting.setRateLimit(Number.MAX_SAFE_INTEGER);
  const statuses = new Map<number, number>();
  const failures: string[] = [];
  const requests = requestsOf(emulator, seed, await sessionOf(emulator));
  for (let at = 1; at <= count; at++) {
    const request = requests.next().value;
    const outcome = await outcomeOf(emulator.answer, request);
    if (typeof outcome === 'number') statuses.set(outcome, (statuses.get(outcome) ?? 0) + 1);
    else
      failures.push(
        `${request.method} ${request.target} ${request.body?.slice(0, 200)}: ${outcome}`,
      );
    // As between the requests of a server: weak references and finalizers wait for it.
    if (at % 100 === 0) await setImmediate();
    if (at % 1000 === 0) {
      emulator.hosting.unlock();
      each?.();
    }
  }
  await emulator.close();
  return { statuses, failures };
}

async function sessionOf({ answer }: Emulator): Promise<string> {
  const body = new URLSearchParams({ ...supportSeed });
  const target = 'http://127.0.0.1/api/v2/authenticate';
  const { access_token: token }: { access_token: string } = JSON.parse(
    await (await answer(new Request(target, { method: 'POST', body }))).text(),
  );
  return token;
}

type Answer = (request: Request, rawPath?: string) => Promise<Response>;

async function outcomeOf(answer: Answer, { method, target, headers, body }: MadeUp) {
  const bodyless = method === 'GET' || method === 'HEAD';
  const url = `http://127.0.0.1${target}`;
  const init = { method, headers, ...(!bodyless && body !== undefined && { body }) };
  const request = new Request(URL.canParse(url) ? url : 'http://127.0.0.1/', init);
  let timer: NodeJS.Timeout | undefined;
  try {
    const late = new Promise<string>((resolve) => {
      timer = setTimeout(() => resolve('no answer'), patience);
    });
    const come = answer(request, target).then(async (response) => {
      const text = await response.text();
      // An author without name and email is 500 by the contract.
      const wanted = response.status !== 500 || text === '{"message":"Server Error"}';
      return wanted ? response.status : `500 ${text}`;
    });
    return await Promise.race([come, late]);
  } catch (error) {
    return error instanceof Error ? (error.stack ?? error.message) : String(error);
  } finally {
    clearTimeout(timer);
  }
}
