import { once } from 'node:events'
import { createServer } from 'node:http'

import { expect, test } from 'vitest'

import { Api } from '../../../scripts/demo/api.mjs'
import { projects, pushersOf } from '../../../scripts/demo/plan.mjs'
import { Present } from '../../../scripts/demo/present.mjs'
import type { Scene } from '../../../scripts/demo/scene.mjs'
import { onFinished } from '../../support/lifetime.js'

const EVERYBODY = [...new Set(projects.flatMap(({ authors }) => authors))]

const SCENE: Scene = {
  people: Object.fromEntries(EVERYBODY.map((username, index) => [username, { id: index, token: username }])),
  projects: projects.map(({ path }, index) => ({ path, id: index + 1 })),
  runners: [{ id: 1, token: 'glrt-1', description: 'docker-01' }],
  bigLog: { project: 'atlas/api', job: 1 },
  manyJobs: { project: 'platform/images', pipeline: 1 },
}

/** A coordinator that refuses every request. */
async function refusingCoordinator(): Promise<string> {
  const server = createServer((request, response) => {
    request.resume().once('end', () => response.writeHead(403).end('{"message":"403 Forbidden"}'))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onFinished(() => server.close())
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port')
  return `http://127.0.0.1:${address.port}`
}

test('the demo goes on when the pushes and the runners of its people are refused', async () => {
  const api = Api.connect(await refusingCoordinator(), 'root')
  const stopping = new AbortController()
  const lines: string[] = []
  const report = (line: string) => {
    lines.push(line)
    const pushes = lines.filter((each) => each.includes('/repository/commits: 403'))
    const polls = lines.filter((each) => each.includes('/jobs/request: 403'))
    if (pushes.length >= 3 && polls.length >= 3) stopping.abort()
  }
  await new Present(SCENE, [], api, { report, speed: 10_000 }).run(stopping.signal)
  await api.close()
  expect(stopping.signal.aborted).toBe(true)
})

test('somebody may push to each project of the demo while it runs', () => {
  for (const plan of projects) expect(pushersOf(plan), plan.path).not.toEqual([])
  expect(pushersOf({ authors: ['a', 'b'], reporters: ['b'] })).toEqual(['a'])
})
