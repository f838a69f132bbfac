// A request log from diagnostics_channel: each attempt with status and duration, retries, waits, redirects;
// the program that calls the API is not touched. Runs by itself against the bundled emulator:
// `npx tsx examples/request-log.ts`. With TRIFORGE_BASE_URL and TRIFORGE_TOKEN (and TRIFORGE_VENDOR) set it
// reads from a real server.
import { subscribe } from 'node:diagnostics_channel';
import { type DiagnosticEvents, type DiagnosticName, HostingClient } from 'triforge';
import { createEmulator, seeded } from 'triforge/testing';

/** Listens to one channel, with the type of its messages. */
function on<Name extends DiagnosticName>(
  name: Name,
  handle: (event: DiagnosticEvents[Name]) => void,
): void {
  // `as`: on this channel triforge publishes nothing else.
  subscribe(name, (event) => handle(event as DiagnosticEvents[Name]));
}

/** Writes a line for all that happens. URLs are masked: a log holds no credential. */
function logRequests(write: (line: string) => void): void {
  on('triforge:request:end', ({ request, attempt, status, duration }) => {
    write(
      `${request.method} ${request.url} ${status} in ${duration.toFixed()} ms, attempt ${attempt}`,
    );
  });
  on('triforge:request:error', ({ request, attempt, kind, duration }) => {
    write(
      `${request.method} ${request.url} ${kind} after ${duration.toFixed()} ms, attempt ${attempt}`,
    );
  });
  on('triforge:retry', ({ request, reason, delay }) => {
    write(`${request.operation} again in ${delay.toFixed()} ms: ${reason}`);
  });
  on('triforge:wait', ({ operation, delay }) => {
    write(`${operation} waits ${delay.toFixed()} ms for the rate limit`);
  });
  on('triforge:redirect', ({ request, status, location }) => {
    write(`${request.operation} is sent on (${status}) to ${location}`);
  });
  on('triforge:shape-drift', ({ request, model, issues }) => {
    write(`${request.operation}: ${issues.length} fields are none of the model ${model}`);
  });
}

logRequests((line) => console.log(line));

const { TRIFORGE_BASE_URL, TRIFORGE_TOKEN, TRIFORGE_VENDOR } = process.env;
if (TRIFORGE_BASE_URL !== undefined) {
  await using hosting = new HostingClient({
    baseUrl: TRIFORGE_BASE_URL,
    auth: TRIFORGE_TOKEN === undefined ? undefined : { type: 'token', token: TRIFORGE_TOKEN },
    vendor: TRIFORGE_VENDOR,
  });
  await hosting.starring.listStarred().toArray({ limit: 200 });
} else {
  await using emulator = createEmulator();
  const { hostingUrl: baseUrl } = await emulator.listen();
  const { owner, repo, token } = seeded;
  await using hosting = new HostingClient({ baseUrl, auth: { type: 'token', token } });

  console.log('# A list, its second page answered 502 at first');
  const badGateway = { kind: 'answer', status: 502 } as const;
  emulator.fail({ path: '/pulls', query: { page: '2' } }, badGateway);
  await hosting.pulls.list({ owner, repo, state: 'all', per_page: 100 }).toArray();

  console.log('\n# A connection that breaks');
  emulator.fail({ method: 'GET' }, { kind: 'reset' });
  await hosting.starring.isStarred({ owner, repo });
}
