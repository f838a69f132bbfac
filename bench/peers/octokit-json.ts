// Makes @octokit/request use `JSON.parse`, as it did before 10.0.8, instead of json-with-bigint.
import { register } from 'node:module';
import type { MakePeer } from './peer.js';

const url = (code: string) => `data:text/javascript,${encodeURIComponent(code)}`;
const native = url('export const JSONParse = JSON.parse, JSONStringify = JSON.stringify;');
register(
  url(
    `export const resolve = async (name, context, next) =>
       name === 'json-with-bigint'
         ? { url: ${JSON.stringify(native)}, shortCircuit: true }
         : next(name, context);`,
  ),
);
const { octokit } = await import('./octokit.js');

export const octokitJson: MakePeer = octokit;
