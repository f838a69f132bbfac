// Setup file for tests: writes the requests that emulators receive, and their responses, to files
// in the folder `KEEP_EXCHANGES`, one JSON object per line. `judge-exchanges.ts` reads them.
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { CustomRoutes } from '../../src/testing/custom-routes.js';
import { FaultPlan } from '../../src/testing/faults.js';
import { RequestLog } from '../../src/testing/request-log.js';

/** A request to an emulator and the response. Bodies are encoded in Base64. */
export interface Exchange {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly requestHeaders: Readonly<Record<string, string>>;
  /** Undefined if the request log doesn't contain the body as text. */
  readonly requestBody: string | undefined;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Maximum size of a saved response, in bytes. Larger responses, such as assets, have no schema. */
const maxBytes = 262_144;
const file = join(process.env.KEEP_EXCHANGES ?? '', `${process.pid}.ndjson`);
/** Exchanges already in the file. Most exchanges occur many times, but each is written once. */
const kept = new Set<string>();
/** Headers of requests that a test responds to instead of the emulator. */
const replaced = new WeakSet<Headers>();
let latest: Headers | undefined;

async function keep(
  method: string,
  { target, headers, body }: Parameters<RequestLog['add']>[2],
  response: Response,
): Promise<void> {
  const bytes = Buffer.from(await response.arrayBuffer());
  if (bytes.length > maxBytes) return;
  const exchange: Exchange = {
    method,
    target,
    requestHeaders: Object.fromEntries(headers),
    requestBody: body && Buffer.from(body).toString('base64'),
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: bytes.toString('base64'),
  };
  const key = JSON.stringify({ ...exchange, requestHeaders: [], headers: [] });
  if (kept.has(key)) return;
  kept.add(key);
  appendFileSync(file, `${JSON.stringify(exchange)}\n`);
}

const { add } = RequestLog.prototype;
RequestLog.prototype.add = function (method, time, sent) {
  const report = add.call(this, method, time, sent);
  latest = sent.headers;
  return (response) => {
    if (response && !replaced.has(sent.headers)) {
      // The client may abort the response.
      keep(method, sent, response.clone()).catch(() => undefined);
    }
    return report(response);
  };
};

const { take } = FaultPlan.prototype;
FaultPlan.prototype.take = function (...request) {
  const fault = take.apply(this, request);
  // The emulator calls `take` immediately after `add`.
  if (fault && latest) replaced.add(latest);
  return fault;
};

const { add: addRoute } = CustomRoutes.prototype;
CustomRoutes.prototype.add = function (route, handler) {
  addRoute.call(this, route, (context) => {
    replaced.add(Reflect.get(Object(context), 'request').headers);
    return handler(context);
  });
};
