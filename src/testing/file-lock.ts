import { randomUUID } from 'node:crypto';
import { lstatSync, readFileSync, rmSync, statSync, unlinkSync, utimesSync } from 'node:fs';
import { type FileHandle, lstat, open, readFile, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import { isRecord, memberOf } from '../schema/unknown-values.js';
import { ifThere, isMissing } from './world/replace-file.js';

/** Milliseconds between two heartbeats, and milliseconds without one after which a lock is abandoned. */
const beat = 2000;
const patience = 10_000;

/** Locks of this process. After a restart in a container, another process may have had the same id. */
const own = new Set<string>();

/**
 * A lock file that lets one process at a time use a file. A lock is taken over if its process has ended,
 * or sent no heartbeat for 10 s: the process id says nothing if it is of another container.
 */
export class FileLock {
  readonly #path: string;
  readonly #text: string;
  #timer: NodeJS.Timeout | undefined;
  readonly #onExit = () => this.release();

  private constructor(path: string) {
    this.#path = path;
    this.#text = JSON.stringify({ pid: process.pid, host: hostname(), id: randomUUID() });
  }

  /** @param path of the lock file. @throws {Error} if another process has it */
  static async acquire(path: string): Promise<FileLock> {
    const lock = new FileLock(path);
    own.add(lock.#text);
    try {
      while (!(await lock.#create())) await lock.#takeOver();
    } catch (error) {
      own.delete(lock.#text);
      throw error;
    }
    lock.#timer = setInterval(() => lock.#beat(), beat).unref();
    process.once('exit', lock.#onExit);
    return lock;
  }

  /**
   * Checks that this process still has the lock. Creates a deleted lock file again.
   * @returns whether the lock file was there. @throws {Error} if another process has the lock
   */
  async check(): Promise<boolean> {
    const text = await ifThere(readFile(this.#path, 'utf8'));
    if (text === this.#text) return true;
    if (text === undefined && (await this.#create())) return false;
    throw new Error(`${this.#path}: another process has taken over the lock`);
  }

  /**
   * Removes the lock file, unless another process has taken it over. Synchronous, because it also runs
   * when the process exits.
   */
  release(): void {
    clearInterval(this.#timer);
    process.off('exit', this.#onExit);
    own.delete(this.#text);
    try {
      if (readFileSync(this.#path, 'utf8') === this.#text) unlinkSync(this.#path);
    } catch {
      // The folder was removed.
    }
  }

  /** @returns whether the lock file was created; false if there is one. */
  async #create(): Promise<boolean> {
    let file: FileHandle;
    try {
      file = await open(this.#path, 'wx');
    } catch (error) {
      if (memberOf(error, 'code') === 'EEXIST') return false;
      throw error;
    }
    try {
      await file.writeFile(this.#text);
      return true;
    } catch (error) {
      // An empty lock of a full disk would keep others out.
      await rm(this.#path, { force: true });
      throw error;
    } finally {
      await file.close();
    }
  }

  /** A sign of life, unless another process has taken over the lock: it may end at any time. */
  #beat(): void {
    try {
      if (readFileSync(this.#path, 'utf8') !== this.#text) return;
      const now = new Date();
      utimesSync(this.#path, now, now);
    } catch {
      // The lock was deleted: the next write creates it again.
    }
  }

  /** Removes an abandoned lock. @throws {Error} if it is not abandoned */
  async #takeOver(): Promise<void> {
    const found = await ifThere(lstat(this.#path));
    // A dangling link can be neither created nor read.
    if (found && !found.isFile()) throw new Error(`${this.#path}: must be a regular file`);
    // A file cannot be removed on condition that it is unchanged. So one process at a time compares and removes.
    const guard = `${this.#path}.takeover`;
    try {
      await writeFile(guard, '', { flag: 'wx' });
    } catch (error) {
      if (memberOf(error, 'code') !== 'EEXIST') throw error;
      await waitForTakeover(guard);
      return;
    }
    try {
      removeAbandoned(this.#path);
    } finally {
      rmSync(guard, { force: true });
    }
  }
}

/** Waits for another process to take the lock over, which needs milliseconds. Removes the guard of a killed process. */
async function waitForTakeover(guard: string): Promise<void> {
  const found = lstatSync(guard, { throwIfNoEntry: false });
  if (!found) return;
  // Synchronous, so that it is not the guard of the next process that is removed.
  if (Math.abs(Date.now() - found.mtimeMs) > patience) rmSync(guard, { force: true });
  else await setTimeout(10);
}

/** Synchronous, so that a process that holds the guard ends only if it is killed. */
function removeAbandoned(path: string): void {
  try {
    const text = readFileSync(path, 'utf8');
    if (!isAbandoned(text, Date.now() - statSync(path).mtimeMs)) throw inUse(path, text);
  } catch (error) {
    // Its owner has removed it.
    if (isMissing(error)) return;
    throw error;
  }
  rmSync(path, { force: true });
}

function inUse(path: string, text: string): Error {
  const { pid, host } = parse(text);
  const who = pid === undefined ? 'another process' : `process ${pid} on ${host}`;
  return new Error(`${path.replace(/\.lock$/, '')}: is in use by ${who}`);
}

/** @param age milliseconds since the last sign of life. */
function isAbandoned(text: string, age: number): boolean {
  if (Math.abs(age) > patience) return true;
  const { pid, host } = parse(text);
  if (pid === undefined || host !== hostname()) return false;
  if (pid === process.pid) return !own.has(text);
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    // EPERM: it runs as another user.
    return memberOf(error, 'code') === 'ESRCH';
  }
}

function parse(text: string): { readonly pid?: number; readonly host?: string } {
  try {
    const data: unknown = JSON.parse(text);
    if (isRecord(data) && typeof data.pid === 'number' && typeof data.host === 'string') {
      return { pid: data.pid, host: data.host };
    }
  } catch {
    // Not written by this class.
  }
  return {};
}
