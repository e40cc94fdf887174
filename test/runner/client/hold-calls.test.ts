import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { expect, onTestFinished, test } from 'vitest'

import { CoordinatorClient } from '../../../src/runner/client/coordinator-client.js'

/** A client of a server that responds to every request with this status. */
async function clientOf(status: number): Promise<CoordinatorClient> {
  const server = createServer((request, response) => {
    request.resume()
    response.writeHead(status, { 'content-type': 'application/json' }).end('{"message":"no"}')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return new CoordinatorClient({ url: `http://127.0.0.1:${port}`, token: 'token', systemId: 's_1' })
}

const JOB = { id: 1, token: 'job' }
const HOLD = { place: 'container', hasTerminal: false, seconds: 1, maxSeconds: 1 }

test.each([403, 500])(
  'a hold that the coordinator refuses with %s is an error for its caller',
  async (status) => {
    const client = await clientOf(status)
    await expect(client.beginHold(JOB, HOLD)).rejects.toMatchObject({ status })
    await expect(client.changeHold(1, 'hold', 1)).rejects.toThrow('The coordinator refuses the hold: no')
  },
)

test.each([403, 404])(
  'the end of a hold that the coordinator does not know (%s) is reported',
  async (status) => {
    await expect((await clientOf(status)).endHold(1, 'hold', 'time')).resolves.toBeUndefined()
  },
)

test('the end of a hold that the coordinator cannot store is an error, so that it is reported again', async () => {
  await expect((await clientOf(500)).endHold(1, 'hold', 'time')).rejects.toMatchObject({ status: 500 })
})
