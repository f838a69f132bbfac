/** Bodies up to this size are recorded; larger ones pass through as streams. */
export const recordedBytes = 1_048_576;

/** Whether a request body of a media type is worth a record: JSON, or a form. */
export function isRecorded(contentType: string): boolean {
  return /json|x-www-form-urlencoded/.test(contentType);
}

/**
 * Reads a small body of text for the record.
 * @returns the request, which can be read once more, and its text where it was JSON or a form.
 */
export async function recorded(request: Request): Promise<[Request, string | undefined]> {
  const type = request.headers.get('content-type') ?? '';
  if (!request.body || !isRecorded(type)) return [request, undefined];
  const { url, method, headers, signal } = request;
  const reader = request.body.getReader();
  const pieces: Uint8Array[] = [];
  let size = 0;
  while (size <= recordedBytes) {
    const { done, value } = await reader.read();
    if (done) {
      const body = Buffer.concat(pieces);
      return [new Request(url, { method, headers, signal, body }), body.toString()];
    }
    pieces.push(value);
    size += value.byteLength;
  }
  const body = resumed(pieces, reader);
  return [new Request(url, { method, headers, signal, body, duplex: 'half' }), undefined];
}

/** What was read already, and then what is still to come. */
function resumed(
  pieces: readonly Uint8Array[],
  reader: ReadableStreamDefaultReader<Uint8Array>,
): ReadableStream<Uint8Array> {
  const waiting = [...pieces];
  return new ReadableStream({
    async pull(controller) {
      const next = waiting.shift();
      if (next) {
        controller.enqueue(next);
        return;
      }
      const { done, value } = await reader.read();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    async cancel(reason) {
      await reader.cancel(reason);
    },
  });
}
