import { describe, expect, test } from 'vitest';
import { Router } from '../../src/testing/router.js';

describe('Router.match()', () => {
  const router = new Router<string>();
  router.add('GET /repos/:owner/:repo/releases/latest', 'latest');
  router.add('GET /repos/:owner/:repo/releases/:id', 'release');
  router.add('GET /repos/:owner/:repo/contents/*path', 'contents');
  router.add('GET /', 'root');

  test.each([
    ['GET', '/repos/a/b/releases/latest', 'latest', { owner: 'a', repo: 'b' }],
    ['GET', '/repos/a/b/releases/7/', 'release', { owner: 'a', repo: 'b', id: '7' }],
    ['HEAD', '/repos/a/b/releases/7', 'release', { owner: 'a', repo: 'b', id: '7' }],
    ['GET', '/repos/a/b/contents', 'contents', { owner: 'a', repo: 'b', path: '' }],
    ['GET', '/repos/a/b/contents/', 'contents', { owner: 'a', repo: 'b', path: '' }],
    ['GET', '/repos/a/b/contents/c/d', 'contents', { owner: 'a', repo: 'b', path: 'c/d' }],
    ['GET', '/repos/a/b/contents/c%2Fd%2F', 'contents', { owner: 'a', repo: 'b', path: 'c/d' }],
    ['GET', '/repos/a/b/contents/%F0%9F%9A%80', 'contents', { owner: 'a', repo: 'b', path: '🚀' }],
    ['GET', '/', 'root', {}],
    ['GET', '', 'root', {}],
  ])('Router.match() finds the route for %s %j', (method, path, handler, params) => {
    expect(router.match(method, path)).toEqual({ handler, params });
  });

  test.each([
    ['POST', '/repos/a/b/releases/7'],
    ['GET', '/repos/a/b/releases'],
    ['GET', '/repos//b/releases/7'],
    ['GET', '/repos/a/b/contents//x'],
    ['GET', '/repos/a/b/releases/%'],
    ['GET', '/elsewhere'],
  ])('Router.match() finds no route for %s %j', (method, path) => {
    expect(router.match(method, path)).toBeUndefined();
  });
});
