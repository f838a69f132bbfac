import { randomUUID } from 'node:crypto';
import { lstatSync, readFileSync, rmSync, statSync, unlinkSync, utimesSync } from 'node:fs';
import { type FileHandle, open, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import { getMember, isRecord } from '../schema/unknown-values.js';
import { isMissing } from './world/replace-file.js';

/** Interval between heartbeats, in ms. */
const heartbeatInterval = 2000;
/** Time without a heartbeat after which a lock counts as abandoned, in ms. */
const abandonedAfter = 10_000;

/**
 * Locks that this process created. The process ID doesn't identify them, because an earlier process may
 * have had the same ID before a container restarted.
 */
const ownLocks = new Set<string>();

/**
 * A lock file that lets one process at a time use a file. Another process takes over the lock if
 * the owner has ended or has sent no heartbeat for 10 s. The heartbeat is needed because a process
 * can't look up process IDs from other containers.
 */
export interface FileLock {
  /**
   * Checks that this process still has the lock. Recreates the lock file if it was deleted.
   * @returns whether the lock file existed.
   * @throws {Error} if another process has the lock.
   */
  check(): Promise<boolean>;
  /**
   * Removes the lock file, unless another process has taken it over. This method is synchronous,
   * because it also runs when the process exits.
   */
  release(): void;
}

/** Acquires a lock. @param path Path of the lock file. @throws {Error} if another process has the lock. */
export async function acquireLock(path: string): Promise<FileLock> {
  const own = JSON.stringify({ pid: process.pid, host: hostname(), id: randomUUID() });
  ownLocks.add(own);
  try {
    while (!(await createLock(path, own))) await takeOver(path);
  } catch (error) {
    ownLocks.delete(own);
    throw error;
  }
  const timer = setInterval(() => sendHeartbeat(path, own), heartbeatInterval).unref();
  const release = () => {
    clearInterval(timer);
    process.off('exit', release);
    ownLocks.delete(own);
    try {
      if (readLock(path) === own) unlinkSync(path);
    } catch {
      // If the folder was removed, the lock file no longer exists.
    }
  };
  process.once('exit', release);
  const check = async () => {
    const text = readLock(path);
    if (text === own) return true;
    if (text === undefined && (await createLock(path, own))) return false;
    throw new Error(`${path}: another process has taken over the lock`);
  };
  return { check, release };
}

/** Creates a lock file. Returns false if the file already exists. */
async function createLock(path: string, text: string): Promise<boolean> {
  let file: FileHandle;
  try {
    file = await open(path, 'wx');
  } catch (error) {
    if (getMember(error, 'code') === 'EEXIST') return false;
    throw error;
  }
  try {
    await file.writeFile(text);
    return true;
  } catch (error) {
    // On a full disk, the file would stay empty and block other processes.
    await rm(path, { force: true });
    throw error;
  } finally {
    await file.close();
  }
}

/** Sends a heartbeat, unless another process has taken over the lock. */
function sendHeartbeat(path: string, own: string): void {
  try {
    if (readLock(path) !== own) return;
    const now = new Date();
    utimesSync(path, now, now);
  } catch {
    // The lock file was deleted. The next write recreates it.
  }
}

/** Removes an abandoned lock. @throws {Error} if the lock is in use. */
async function takeOver(path: string): Promise<void> {
  // Comparing and removing the lock file isn't atomic, so a guard file keeps other processes out.
  const guard = `${path}.takeover`;
  try {
    await writeFile(guard, '', { flag: 'wx' });
  } catch (error) {
    if (getMember(error, 'code') !== 'EEXIST') throw error;
    await waitForTakeover(guard);
    return;
  }
  try {
    removeAbandoned(path);
  } finally {
    rmSync(guard, { force: true });
  }
}

/** Waits while another process takes over the lock. Removes the guard file if that process was killed. */
async function waitForTakeover(guard: string): Promise<void> {
  const found = lstatSync(guard, { throwIfNoEntry: false });
  if (!found) return;
  // Synchronous steps make it unlikely that another process creates its guard file between the
  // check and the removal.
  if (Math.abs(Date.now() - found.mtimeMs) > abandonedAfter) rmSync(guard, { force: true });
  else await setTimeout(10);
}

/**
 * Reads a lock file. Returns undefined if the file doesn't exist. This function is synchronous so
 * that no other code runs between reading and removing the file.
 * @throws {Error} if the path isn't a regular file. At a dangling symlink, creating and reading the
 * file both fail. Reading a named pipe would block.
 */
function readLock(path: string): string | undefined {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (!found) return undefined;
  if (!found.isFile()) throw new Error(`${path}: must be a regular file`);
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    // If the file is missing, its owner removed it after `lstatSync`.
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/**
 * Removes an abandoned lock file. This function is synchronous, so the `.takeover` guard file is
 * left behind only if the process is killed.
 */
function removeAbandoned(path: string): void {
  const text = readLock(path);
  const found = statSync(path, { throwIfNoEntry: false });
  if (text === undefined || !found) return;
  // A killed emulator may have created an empty file.
  if (text !== '' && parse(text).pid === undefined) {
    throw new Error(`${path}: must be an emulator's lock file`);
  }
  if (!isAbandoned(text, Date.now() - found.mtimeMs)) throw inUse(path, text);
  rmSync(path, { force: true });
}

function inUse(path: string, text: string): Error {
  const { pid, host } = parse(text);
  const who = pid === undefined ? 'another process' : `process ${pid} on ${host}`;
  return new Error(`${path.replace(/\.lock$/, '')}: is in use by ${who}`);
}

/** Returns whether a lock is abandoned. @param age milliseconds since the last heartbeat. */
function isAbandoned(text: string, age: number): boolean {
  if (Math.abs(age) > abandonedAfter) return true;
  const { pid, host } = parse(text);
  if (pid === undefined || host !== hostname()) return false;
  if (pid === process.pid) return !ownLocks.has(text);
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    // EPERM means that the process runs as another user.
    return getMember(error, 'code') === 'ESRCH';
  }
}

function parse(text: string): { readonly pid?: number; readonly host?: string } {
  try {
    const data: unknown = JSON.parse(text);
    if (isRecord(data) && typeof data.pid === 'number' && typeof data.host === 'string') {
      return { pid: data.pid, host: data.host };
    }
  } catch {
    // Another program wrote the file.
  }
  return {};
}
