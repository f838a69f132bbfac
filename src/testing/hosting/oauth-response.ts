import { createReply, json, type Reply } from '../reply.js';
import type { HostingContext } from './context.js';

/** Responds with a token or an error in the format that `Accept` selects. Errors also have status 200. */
export function respondWithTokens(
  context: HostingContext,
  fields: Readonly<Record<string, string>>,
): Reply {
  switch (context.accept) {
    case 'application/json':
      return json(200, fields);
    case 'application/xml':
      return createReply(200, 'application/xml; charset=utf-8', xml(fields));
    default: {
      const form = new URLSearchParams(fields).toString();
      return createReply(200, 'application/x-www-form-urlencoded; charset=utf-8', form);
    }
  }
}

function xml(fields: Readonly<Record<string, string>>): string {
  const children = Object.entries(fields).map(([name, value]) => {
    const text = value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
    return `  <${name}>${text}</${name}>\n`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<OAuth>\n${children.join('')}</OAuth>\n`;
}
