// Trace calls with OpenTelemetry
//
// Creates a client span for each attempt, as a child of the calling code's span. The attributes follow the HTTP
// semantic conventions. Retries and waits are events on the calling code's span. The calling code doesn't change,
// because all data comes from [diagnostics channels](../docs/observability.md#events).
//
//     npm install @opentelemetry/api @opentelemetry/sdk-trace-base @opentelemetry/context-async-hooks
//     npx triforge-emulator -- npx tsx node_modules/triforge/examples/trace-with-opentelemetry.ts
import { subscribe } from 'node:diagnostics_channel';
import { context, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import * as sdk from '@opentelemetry/sdk-trace-base';
import { type DiagnosticEvents, type DiagnosticName, HostingClient } from 'triforge';

// In a real program, set this up once, and export to a collector instead of the console.
context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
const exporter = new sdk.ConsoleSpanExporter();
const provider = new sdk.BasicTracerProvider({
  spanProcessors: [new sdk.SimpleSpanProcessor(exporter)],
});
const tracer = provider.getTracer('triforge');

type Events = DiagnosticEvents;
function on<Name extends DiagnosticName>(name: Name, handle: (event: Events[Name]) => void): void {
  // `as`: triforge publishes only this type on the channel.
  subscribe(name, (event) => handle(event as Events[Name]));
}

/** Creates an attempt's span once the attempt has ended, with its start and end times. */
function attemptEnded(event: Events['triforge:request:end'] | Events['triforge:request:error']) {
  const { request, attempt, duration } = event;
  const now = Date.now();
  const span = tracer.startSpan(`${request.method} ${request.operation}`, {
    kind: SpanKind.CLIENT,
    startTime: now - duration,
    attributes: {
      'http.request.method': request.method,
      'url.full': request.url,
      'server.address': new URL(request.url).hostname,
      ...(attempt > 1 && { 'http.request.resend_count': attempt - 1 }),
    },
  });
  if ('status' in event) span.setAttribute('http.response.status_code', event.status);
  const problem = 'kind' in event ? event.kind : event.status >= 400 && String(event.status);
  if (problem) span.setAttribute('error.type', problem).setStatus({ code: SpanStatusCode.ERROR });
  span.end(now);
}
on('triforge:request:end', attemptEnded);
on('triforge:request:error', attemptEnded);
on('triforge:retry', ({ reason, delay }) => {
  trace.getActiveSpan()?.addEvent('retry', { reason, 'delay.ms': delay });
});
on('triforge:wait', ({ delay }) => {
  trace.getActiveSpan()?.addEvent('rate limit', { 'delay.ms': delay });
});

await using hosting = HostingClient.fromEnv();
await tracer.startActiveSpan('collect stars', async (span) => {
  await hosting.starring.listStarred({ per_page: 20 }).toArray();
  span.end();
});
await provider.shutdown();
