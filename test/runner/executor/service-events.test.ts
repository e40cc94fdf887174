import { createServer, type ServerResponse } from 'node:http'
import { join } from 'node:path'

import Docker from 'dockerode'
import { expect, onTestFinished, test } from 'vitest'

import { deferred } from '../../../src/lib/deferred.js'
import { ServiceEvents } from '../../../src/runner/executor/docker/services/service-events.js'
import { tempDir } from '../../support/temp-dir.js'

const DIED = { Action: 'die', Actor: { ID: 'abc', Attributes: { exitCode: '3' } } }

/** An engine that reports one event and keeps each response open, as real ones do. */
async function openEngine() {
  const streams = new Set<ServerResponse>()
  let onClose = () => {}
  const server = createServer((_request, response) => {
    streams.add(response)
    response.once('close', () => {
      streams.delete(response)
      onClose()
    })
    response.write(`${JSON.stringify(DIED)}\n`)
  })
  const socketPath = join(await tempDir(), 'engine.sock')
  await new Promise<void>((resolve) => server.listen(socketPath, resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const closed = async () => {
    const none = deferred()
    onClose = () => (streams.size === 0 ? none.resolve() : undefined)
    if (streams.size > 0) await none.promise
  }
  return { docker: new Docker({ socketPath }), streams, closed, server }
}

test('no connection to the engine outlives the services that were waited for', async () => {
  const { docker, streams, closed } = await openEngine()
  for (let job = 0; job < 50; job++) {
    const events = await ServiceEvents.open(docker, ['abc'])
    expect(await events.exited('abc')).toBe(3)
    events.close()
    await events.ended
  }
  await closed()
  expect(streams.size).toBe(0)
})

test('an engine that goes away ends the events', async () => {
  const { docker, server } = await openEngine()
  const events = await ServiceEvents.open(docker, ['abc'])
  server.closeAllConnections()
  await events.ended
})

test('an event without an end is not collected in memory', async () => {
  const { docker, streams } = await openEngine()
  const events = await ServiceEvents.open(docker, ['abc'])
  const [stream] = streams
  stream?.write(Buffer.alloc(5 * 1024 * 1024, 'x'))
  await events.ended
})
