import { request as httpRequest } from 'node:http'

import { Type } from 'typebox'
import { expect, test } from 'vitest'

import { type Operation, operation } from '../../../src/coordinator/http/operation.js'
import { openSqlite } from '../../support/databases.js'
import { openApp } from '../support/test-app.js'

// Every row of a table (API, A6), and the tricks that paths are used for.

const echo = (route: `GET /${string}`, names: string[], numbers: string[] = []): Operation =>
  operation(route, {
    summary: 'What the path says',
    access: 'anyone',
    params: Type.Object({
      ...Object.fromEntries(names.map((name) => [name, Type.String()])),
      ...Object.fromEntries(numbers.map((name) => [name, Type.Integer()])),
    }),
    responses: { 200: Type.Record(Type.String(), Type.Unknown()) },
    run: async ({ params }) => params,
  })

const operations = [
  echo('GET /words', []),
  echo('GET /things/:id', ['id']),
  echo('GET /things/:id/files/:file_path', ['id', 'file_path']),
  echo('GET /things/:id/archive.:format', ['id', 'format']),
  echo('GET /things/:id/jobs/:job_id', ['id'], ['job_id']),
  echo('GET /things/:id/artifacts/*artifact_path', ['id', 'artifact_path']),
]

async function statusAndBody(path: string): Promise<[number, unknown]> {
  const { app } = openApp((await openSqlite()).database, operations)
  const address = await app.listen({ host: '127.0.0.1', port: 0 })
  // Not `fetch`: it would tidy up the path.
  const { hostname, port } = new URL(address)
  return new Promise((resolve, reject) => {
    const request = httpRequest({ hostname, port, path: `/api/v4${path}`, agent: false }, (response) => {
      let text = ''
      response.on('data', (chunk) => (text += String(chunk)))
      response.on('end', () => resolve([response.statusCode ?? 0, JSON.parse(text)]))
    })
    request.on('error', reject)
    request.end()
  })
}

const NO_ROUTE = { error: '404 Not Found' }
const BAD_ENCODING = { message: '400 Bad request - the path is not encoded as it should be' }
const NUL = { message: '400 Bad request - the URL contains a NUL character' }

test.each<[path: string, status: number, body: unknown]>([
  ['/things/g%2Fx', 200, { id: 'g/x' }],
  ['/things/g%2fx', 200, { id: 'g/x' }],
  ['/things/g%2Fsub%2Fx/files/dir%2Fa.txt', 200, { id: 'g/sub/x', file_path: 'dir/a.txt' }],
  ['/things/group.name', 200, { id: 'group.name' }],
  ['/things/7/files/v1.0', 200, { id: '7', file_path: 'v1.0' }],
  ['/things/7/files/package.json', 200, { id: '7', file_path: 'package.json' }],
  ['/things/7/files/1.json', 200, { id: '7', file_path: '1.json' }],
  ['/things/7/archive.tar.gz', 200, { id: '7', format: 'tar.gz' }],
  ['/things/7/artifacts/out/x%20y.txt', 200, { id: '7', artifact_path: 'out/x y.txt' }],
  ['/things/7/artifacts/out/data.json', 200, { id: '7', artifact_path: 'out/data.json' }],
  ['/words.json', 200, {}],
  ['/words.json?a=b.json', 200, {}],
  ['/things/7.json', 200, { id: '7' }],
  ['/things/g%2Fx.json', 200, { id: 'g/x.json' }],
  ['/things/7/jobs/8.json', 200, { id: '7', job_id: 8 }],
  ['/nothing.json', 404, NO_ROUTE],
  ['/things/7/jobs/x', 400, { error: 'job_id is invalid' }],
  ['/things/7/jobs/8%2F..', 400, { error: 'job_id is invalid' }],
  ['/things/%2e%2e', 200, { id: '..' }],
  ['/things/../words', 404, NO_ROUTE],
  ['/things/7/artifacts/%2e%2e/secret', 200, { id: '7', artifact_path: '../secret' }],
  ['/things/a%00b', 400, NUL],
  ['/words?x=a%00b', 200, {}],
  ['/things/%zz', 400, BAD_ENCODING],
  ['/things/%ff', 400, BAD_ENCODING],
  ['/words?x=%zz', 200, {}],
  ['//words', 404, NO_ROUTE],
  [`/things/${'x'.repeat(9000)}`, 414, { error: '414 Request-URI Too Long' }],
])('%s returns %i', async (path, status, body) => {
  expect(await statusAndBody(path)).toEqual([status, body])
})
