import { gzipSync } from 'node:zlib'

const KIB = 1024
/** What is parsed of a stranger's body, and what was before. */
const SIZES = [64 * KIB - 16, 4 * KIB * KIB - 16]
/** Node.js reads 16 KiB of headers, the first line included. */
const HEAD_BYTES = 15 * KIB

/** @typedef {{ method: string, path: string, headers?: Record<string, string>, body?: string | Buffer | (() => string) }} Hostile */

/**
 * By class of endpoints, the requests without credentials that cost the most.
 * @type {Record<string, Hostile[]>}
 */
export const HOSTILE_REQUESTS = {
  'JSON to the API': [
    ...bodies('/api/v4/jobs/request', 'application/json', jsonShapes()),
    ...bodies('/api/v4/projects/1/trigger/pipeline', 'application/json', jsonShapes()),
    ...bodies('/api/v4/projects/1/repository/commits', 'application/json', jsonShapes()),
  ],
  'a form to the API': [
    ...bodies('/api/v4/jobs/request', 'application/x-www-form-urlencoded', formShapes()),
    ...bodies('/api/v4/runners', 'application/x-www-form-urlencoded', formShapes()),
  ],
  'a multipart form to the API': bodies(
    '/api/v4/runners',
    'multipart/form-data; boundary=b',
    multipartShapes(),
  ),
  'an upload of a job': bodies(
    '/api/v4/jobs/1/artifacts',
    'multipart/form-data; boundary=b',
    multipartShapes(),
  ),
  'a body to no route': bodies('/api/v4/nothing', 'application/json', jsonShapes()),
  'sign-in and tokens of OAuth': [
    ...bodies('/oauth/token', 'application/x-www-form-urlencoded', [
      ...formShapes(),
      (size) => `grant_type=password&username=root&password=${'\u0301\u0323'.repeat(size / 4 - 20)}`,
    ]),
    ...['authorize', 'device', 'revoke', 'introspect', 'authorize_device', 'end_session'].flatMap((name) =>
      bodies(`/oauth/${name}`, 'application/x-www-form-urlencoded', formShapes()),
    ),
    ...bodies('/oauth/register', 'application/json', [
      ...jsonShapes(),
      (size) => `{"redirect_uris":[${repeat('{},', size - 30)}0]}`,
      (size) => `{"redirect_uris":["https://a"],"grant_types":[${repeat('"a",', size - 60)}"a"]}`,
    ]),
  ],
  'git over HTTP': [
    ...bodies('/a/b.git/git-receive-pack', 'application/x-git-receive-pack-request', [
      (size) => 'x'.repeat(size),
    ]),
    {
      ...{ method: 'POST', path: '/a/b.git/git-upload-pack', body: gzipSync(Buffer.alloc(256 * KIB * KIB)) },
      headers: { 'content-encoding': 'gzip', 'content-type': 'application/x-git-upload-pack-request' },
    },
    ...authorizations().map((authorization) => ({
      ...{ method: 'GET', path: '/a/b.git/info/refs?service=git-upload-pack', headers: { authorization } },
    })),
  ],
  'a query': formShapes().flatMap((shape) =>
    ['/api/v4/projects', '/oauth/authorize', '/a/b'].map((path) => ({
      ...{ method: 'GET', path: `${path}?${shape(HEAD_BYTES)}` },
    })),
  ),
  'a path': ['a', '/', 'a/', '..%2f', '%25', '-/', '.json'].flatMap((part) =>
    ['/', '/api/v4/', '/api/v4/projects/', '/api/docs/'].map((start) => ({
      ...{ method: 'GET', path: `${start}${repeat(part, HEAD_BYTES)}x.json` },
    })),
  ),
  headers: [
    ...['cookie', 'if-none-match', 'range', 'accept', 'forwarded', 'x-request-id', 'private-token'].flatMap(
      (name) =>
        [' ', 'a', 'a, ', '"a",', '=;', 'bytes=0-1,'].map((part) => ({
          ...{
            method: 'GET',
            path: '/api/v4/projects',
            headers: { [name]: `x${repeat(part, HEAD_BYTES)}x` },
          },
        })),
    ),
    ...authorizations().map((authorization) => ({
      ...{ method: 'GET', path: '/api/v4/projects', headers: { authorization } },
    })),
  ],
}

/**
 * @param {string} path
 * @param {string} contentType
 * @param {((size: number) => string)[]} shapes
 * @returns {Hostile[]}
 */
function bodies(path, contentType, shapes) {
  return shapes.flatMap((shape) =>
    SIZES.map((size) => ({
      method: 'POST',
      path,
      headers: { 'content-type': contentType },
      body: () => shape(size),
    })),
  )
}

/** @returns {((size: number) => string)[]} */
function jsonShapes() {
  return [
    (size) => `{"info":[${repeat('{},', size - 20)}0]}`,
    (size) => `{"info":[${repeat('[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]],', size - 60)}0]}`,
    (size) => `{${numbered((index) => `"${index}k":1,`, size - 30)}"z":0}`,
    (size) => `{"info":[${numbered((index) => `{"${index}":0},`, size - 40)}0]}`,
    (size) => `{"variables":{${numbered((index) => `"${index}":"",`, size - 40)}"z":""}}`,
    (size) => '['.repeat(size),
  ]
}

/** @returns {((size: number) => string)[]} */
function formShapes() {
  return [
    (size) => repeat('a&', size),
    (size) => repeat('a[]&', size),
    (size) => numbered((index) => `${index}&`, size),
    (size) => numbered((index) => `a[${index}]&`, size),
    (size) => numbered((index) => `a[${Number.parseInt(index, 36)}]&`, size),
    (size) => repeat('a[][b]&', size),
    (size) => repeat('a[b][c][d][e][f][g][h]&', size),
    (size) => `a${repeat('[b]', size - 10)}=1`,
    (size) => `a${'['.repeat(size - 10)}]=1`,
    (size) => repeat('%5B%5D&', size),
  ]
}

/** @returns {((size: number) => string)[]} */
function multipartShapes() {
  const part = (/** @type {string} */ name) =>
    `--b\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n\r\n`
  return [
    (size) => `${repeat(part('a'), size - 100)}--b--\r\n`,
    (size) => `${numbered((index) => part(`a[${index}]`), size - 200)}--b--\r\n`,
    (size) => `${part('a')}${repeat('\r\n-', size - 200)}\r\n--b--\r\n`,
    (size) => `--b\r\n${repeat('x: y\r\n', size - 200)}\r\n\r\n--b--\r\n`,
  ]
}

function authorizations() {
  const marks = '\u0301\u0323'.repeat(2500)
  return [
    `Basic ${Buffer.from(`root:${marks}`).toString('base64')}`,
    `Basic ${Buffer.from(':'.repeat(10_000)).toString('base64')}`,
    `Bearer${repeat(' x', HEAD_BYTES)}`,
    `Bearer ${repeat(' ', HEAD_BYTES)}x x`,
  ]
}

/**
 * @param {string} part
 * @param {number} size
 */
function repeat(part, size) {
  return part.repeat(Math.floor(size / part.length))
}

/**
 * @param {(index: string) => string} part
 * @param {number} size
 */
function numbered(part, size) {
  let text = ''
  for (let index = 0; text.length < size - 40; index++) text += part(index.toString(36))
  return text
}
