// Log calls with pino
//
// Logs one line for each attempt, retry and wait, with secrets masked. The child logger adds the client's name.
// You can use any logger with `debug`, `info`, `warn` and `error`. [Logging](../docs/observability.md#logging)
// lists the lines of each level. To write the same lines to standard error without changing the program, set
// `TRIFORGE_LOG=info`.
//
//     npm install pino
//     npx triforge-emulator -- npx tsx node_modules/triforge/examples/log-with-pino.ts
import { pino } from 'pino';
import { HostingClient } from 'triforge';

const { LOG_LEVEL = 'info' } = process.env;
const logger = pino({ level: LOG_LEVEL });

await using hosting = HostingClient.fromEnv({ log: logger.child({ client: 'hosting' }) });

const starred = await hosting.starring.listStarred({ per_page: 20 }).toArray();
logger.info({ starred: starred.length }, 'done');
