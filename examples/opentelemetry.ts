// OpenTelemetry spans from diagnostics_channel: a client span for each attempt, below the span of the code that
// made the call, named by the semantic conventions for HTTP. Runs by itself against the bundled emulator and
// prints its spans: `npx tsx examples/opentelemetry.ts`. With TRIFORGE_BASE_URL and TRIFORGE_TOKEN (and
// TRIFORGE_VENDOR) set it traces calls to a real server.
import { subscribe } from 'node:diagnostics_channel';
import { context, SpanKind, SpanStatusCode, type Tracer, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
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

/** Traces every client of this process. An attempt's span is made when it has ended, with the times it had. */
function traceRequests(tracer: Tracer): void {
  const attemptEnded = (
    event: DiagnosticEvents['triforge:request:end'] | DiagnosticEvents['triforge:request:error'],
  ) => {
    const { request, attempt, duration } = event;
    const url = new URL(request.url);
    const now = Date.now();
    const span = tracer.startSpan(`${request.method} ${request.operation}`, {
      kind: SpanKind.CLIENT,
      startTime: now - duration,
      attributes: {
        'http.request.method': request.method,
        'url.full': request.url,
        'server.address': url.hostname,
        'server.port': Number(url.port || (url.protocol === 'https:' ? 443 : 80)),
        ...(attempt > 1 && { 'http.request.resend_count': attempt - 1 }),
      },
    });
    const problem = 'kind' in event ? event.kind : event.status >= 400 && String(event.status);
    if ('status' in event) span.setAttribute('http.response.status_code', event.status);
    if (problem) {
      span.setAttribute('error.type', problem);
      span.setStatus({ code: SpanStatusCode.ERROR });
    }
    span.end(now);
  };
  on('triforge:request:end', attemptEnded);
  on('triforge:request:error', attemptEnded);
  // What is no request of its own is told on the span of the code that called.
  on('triforge:retry', ({ request: { operation }, reason, delay }) => {
    trace.getActiveSpan()?.addEvent('retry', { operation, reason, 'delay.ms': delay });
  });
  on('triforge:wait', ({ operation, delay }) => {
    trace.getActiveSpan()?.addEvent('rate limit', { operation, 'delay.ms': delay });
  });
}

function print(spans: readonly ReadableSpan[]): void {
  for (const root of spans.filter(({ parentSpanContext }) => !parentSpanContext)) {
    const happened = root.events.map(({ name }) => name).join(', ');
    console.log(`${root.name}${happened && ` (${happened})`}`);
    for (const { name, attributes, parentSpanContext, status } of spans) {
      if (parentSpanContext?.spanId !== root.spanContext().spanId) continue;
      const how = attributes['http.response.status_code'] ?? attributes['error.type'];
      console.log(`  ${status.code === SpanStatusCode.ERROR ? '!' : ' '} ${name}: ${how}`);
    }
  }
}

// A real program sets these once, with an exporter to its collector.
const exporter = new InMemorySpanExporter();
const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
const tracer = provider.getTracer('triforge');
traceRequests(tracer);

/** Runs work below a span. */
async function spanned(name: string, work: () => Promise<unknown>): Promise<void> {
  await tracer.startActiveSpan(name, async (span) => {
    try {
      await work();
    } finally {
      span.end();
    }
  });
}

const { TRIFORGE_BASE_URL, TRIFORGE_TOKEN, TRIFORGE_VENDOR } = process.env;
if (TRIFORGE_BASE_URL !== undefined) {
  await using hosting = new HostingClient({
    baseUrl: TRIFORGE_BASE_URL,
    auth: TRIFORGE_TOKEN === undefined ? undefined : { type: 'token', token: TRIFORGE_TOKEN },
    vendor: TRIFORGE_VENDOR,
  });
  await spanned('stars', () => hosting.starring.listStarred().toArray({ limit: 200 }));
} else {
  await using emulator = createEmulator();
  const { hostingUrl: baseUrl } = await emulator.listen();
  const { owner, repo, token } = seeded;
  await using hosting = new HostingClient({ baseUrl, auth: { type: 'token', token } });
  const badGateway = { kind: 'answer', status: 502 } as const;
  emulator.fail({ path: '/pulls', query: { page: '2' } }, badGateway);
  await Promise.all([
    spanned('collect the pulls', () =>
      hosting.pulls.list({ owner, repo, state: 'all', per_page: 100 }).toArray(),
    ),
    spanned('star it', () => hosting.starring.star({ owner, repo })),
  ]);
}
print(exporter.getFinishedSpans());
await provider.shutdown();
