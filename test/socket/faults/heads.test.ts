import {
  bytes,
  connection,
  fails,
  gives,
  ok,
  respond,
  retriesGet,
  testFaults,
} from './fault-table.js';

const links = 'link: </y?page=2>; rel="next"\nlink: </y?page=9>; rel="last"';
testFaults('response heads', 'a response head with', [
  {
    name: 'a 102 and a 103 before the final response',
    place: bytes(
      Buffer.concat([
        Buffer.from(
          'HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: </x>\r\netag: "early"\r\n\r\n',
        ),
        respond('200 OK', '{"ok":true}'),
      ]),
    ),
    ends: gives(ok),
  },
  {
    // undici treats an unrequested 100 as an error, and a handler can't override that.
    name: 'an unrequested 100 before the final response',
    place: bytes(
      Buffer.concat([
        Buffer.from('HTTP/1.1 100 Continue\r\n\r\n'),
        respond('200 OK', '{"ok":true}'),
      ]),
    ),
    ends: retriesGet(connection(true, 'UND_ERR_SOCKET')),
  },
  {
    name: 'repeated headers',
    place: bytes(
      respond(`200 OK\n${links}\netag: "a"\netag: "b"\ndate: x\ndate: y`, '{"ok":true}'),
    ),
    ends: gives(ok),
  },
  {
    name: 'a repeated Content-Length',
    place: bytes('HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 2\r\n\r\n{}'),
    ends: retriesGet(connection(true)),
  },
  {
    name: 'both Content-Length and Transfer-Encoding',
    place: bytes(
      'HTTP/1.1 200 OK\r\ncontent-length: 2\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
    ),
    ends: retriesGet(connection(true)),
  },
  {
    name: 'a header of 15 KB',
    place: bytes(respond(`200 OK\nx-large: ${'x'.repeat(15_000)}`, '{"ok":true}')),
    ends: gives(ok),
  },
  {
    name: 'a header of 70 KB',
    place: bytes(respond(`200 OK\nx-huge: ${'x'.repeat(70_000)}`, '1')),
    ends: fails(connection(true, 'UND_ERR_HEADERS_OVERFLOW')),
  },
  {
    name: '5000 headers',
    place: bytes(
      respond(`200 OK\n${Array.from({ length: 5000 }, (_, n) => `x-${n}: y`).join('\n')}`, '1'),
    ),
    ends: fails(connection(true, 'UND_ERR_HEADERS_OVERFLOW')),
  },
  {
    name: 'non-ASCII bytes',
    place: bytes(respond('200 OK\nx-odd: \x80\xff', '{"ok":true}')),
    ends: gives(ok),
  },
  {
    name: 'headers named after Object.prototype members',
    place: bytes(respond('200 OK\n__proto__: x\nconstructor: y', '{"ok":true}')),
    ends: gives(ok),
  },
  {
    name: 'an unassigned status',
    place: bytes(respond('299 Odd', '{"ok":true}')),
    ends: gives(ok),
  },
  {
    name: 'a status above 599',
    place: bytes(respond('999 Odd', '{"message":"no"}')),
    ends: {
      GET: { error: { name: 'ServerError', status: 999 }, attempts: 3 },
      POST: { error: { name: 'ServerError', status: 999, mayHaveActed: true } },
    },
  },
]);
