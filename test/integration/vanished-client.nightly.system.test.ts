import { once } from 'node:events'
import { connect } from 'node:net'

import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { System } from './support/system.js'

describe('a job request whose client disconnects before the response', () => {
  let system: System

  beforeAll(async () => {
    system = await System.startInProcess()
  })

  afterAll(async () => {
    await system.stop()
  })

  test('loses no job: the next runner gets it', async () => {
    const { token } = await system.api.json<{ token: string }>('POST', '/user/runners', {
      runner_type: 'instance_type',
      run_untagged: true,
    })
    await vanishWhileHeld(system, token)
    const project = await system.createProject()
    const pipeline = await project.pushCi('build: {script: ["echo built"]}')
    await system.startRunner()
    expect((await project.finished(pipeline)).status).toBe('success')
  })
})

/** Learns the queue version, asks again so that the request is held, and cuts the connection. */
async function vanishWhileHeld(system: System, token: string): Promise<void> {
  const first = await system.api.request('POST', '/jobs/request', { token })
  expect(first.status).toBe(204)
  const body = JSON.stringify({ token, last_update: first.headers.get('x-gitlab-last-update') })
  const { hostname, port } = new URL(system.api.url)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  socket.write(
    `POST /api/v4/jobs/request HTTP/1.1\r\nHost: ${hostname}\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${body.length}\r\n\r\n${body}`,
  )
  await new Promise((resolve) => setImmediate(resolve))
  socket.destroy()
}
