// What the appliance examples show: an upload bar and a list of steps that are redrawn in place on a
// terminal, and one line for each change where the output is a file or a pipe.
import type { ConfigurationStatus, UploadProgress } from 'triforge/console';

/** Where to write, and whether it is a terminal that lines can be redrawn on. */
export interface Screen {
  write(text: string): unknown;
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
}

export interface Display {
  /** A line of its own. */
  say(line: string): void;
  /** For `onProgress` of an upload. */
  upload(progress: UploadProgress): void;
  /** For each status of `waitForConfiguration()`. */
  status(status: ConfigurationStatus): void;
}

const marks: Readonly<Record<string, string>> = {
  PENDING: '·',
  CONFIGURING: '▸',
  DONE: '✓',
  FAILED: '✗',
};

export function displayOn(screen: Screen): Display {
  return screen.isTTY === true ? terminal(screen) : log(screen);
}

function terminal(screen: Screen): Display {
  let height = 0;
  const width = screen.columns ?? 80;
  const draw = (lines: readonly string[], stays: boolean) => {
    const up = height > 0 ? `\u001b[${height}A` : '';
    const text = lines.map((line) => `\u001b[2K${line.slice(0, width - 1)}\n`).join('');
    screen.write(`${up}\r\u001b[J${text}`);
    height = stays ? 0 : lines.length;
  };
  return {
    say: (line) => draw([line], true),
    upload({ sent, total }) {
      draw([`  ${bar(sent, total)} ${amount(sent, total)}`], sent === total);
    },
    status({ status, progress }) {
      const steps = (progress ?? []).map((step) => `  ${marks[step.status] ?? '?'} ${step.key}`);
      draw([...steps, `  ${status}`], status !== 'running');
    },
  };
}

function log(screen: Screen): Display {
  let tenths = -1;
  const shown = new Map<string, string>();
  const say = (line: string) => {
    screen.write(`${new Date().toISOString().slice(11, 19)} ${line}\n`);
  };
  return {
    say,
    upload({ sent, total }) {
      const now = total === undefined ? Math.floor(sent / 1e9) : Math.floor((10 * sent) / total);
      if (now === tenths) return;
      tenths = now;
      say(`upload: ${amount(sent, total)}`);
    },
    status({ status, progress }) {
      for (const step of progress ?? []) {
        if (shown.get(step.key) === step.status || step.status === 'PENDING') continue;
        shown.set(step.key, step.status);
        say(`${step.status}: ${step.key}`);
      }
      if (shown.get('') === status) return;
      shown.set('', status);
      say(`configuration: ${status}`);
    },
  };
}

function bar(sent: number, total: number | undefined): string {
  const length = 30;
  const done = total === undefined || total === 0 ? 0 : Math.round((length * sent) / total);
  return `[${'█'.repeat(done)}${'░'.repeat(length - done)}]`;
}

function amount(sent: number, total: number | undefined): string {
  const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;
  if (total === undefined) return megabytes(sent);
  return `${String(Math.floor((100 * sent) / Math.max(total, 1))).padStart(3)} % of ${megabytes(total)}`;
}
