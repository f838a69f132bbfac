/** Maximum size of a body in reused memory, in bytes. */
const maxSize = 4 * 1024 * 1024;

const none = new ArrayBuffer(0);

/** Released memory for the next body. */
let spare: ArrayBufferLike = none;

/** Memory of the bodies that {@link releaseBody} may release. */
const inUse = new WeakSet<ArrayBufferLike>();

/** Joins the chunks of a body that a caller may keep. @param size total size in bytes. */
export function joinChunks(chunks: readonly Buffer[], size: number): Buffer {
  const [first] = chunks;
  return first && chunks.length === 1 ? first : Buffer.concat(chunks, size);
}

/**
 * Joins the chunks of a body that the client only decodes, in reused memory. With new memory for
 * each page of a list, the garbage collector would take a third of the CPU time (measured). The
 * memory may be much larger than the body and may contain other bodies. Never return it to a
 * caller.
 * @param size total size of the chunks in bytes.
 */
export function joinInReusedMemory(chunks: readonly Buffer[], size: number): Buffer {
  if (chunks.length < 2 || size > maxSize) return joinChunks(chunks, size);
  let memory = spare;
  if (memory.byteLength < size) memory = new ArrayBuffer(2 ** Math.ceil(Math.log2(size)));
  else spare = none;
  inUse.add(memory);
  const body = Buffer.from(memory, 0, size);
  let offset = 0;
  for (const chunk of chunks) {
    body.set(chunk, offset);
    offset += chunk.length;
  }
  return body;
}

/** Releases a body's memory for the next body. The released body must not be used again. */
export function releaseBody({ buffer }: Buffer): void {
  if (inUse.delete(buffer) && buffer.byteLength > spare.byteLength) spare = buffer;
}

/**
 * Returns a body that a policy may keep. Copies a body in reused memory and releases the memory.
 * The original body must not be used again.
 */
export function detachBody(body: Buffer): Buffer {
  if (!inUse.has(body.buffer)) return body;
  const copy = Buffer.from(body);
  releaseBody(body);
  return copy;
}
