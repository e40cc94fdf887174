import { connect, Server as NetServer, type Server } from 'node:net'

import { expect, test, vi } from 'vitest'

import { fixedAddress } from '../../../src/coordinator/start/listen.js'
import { onFinished } from '../../support/lifetime.js'

test('a free port is found although a client connects to it and stays', async () => {
  const closed = vi.spyOn(NetServer.prototype, 'close').mockImplementationOnce(function (this: Server, done) {
    const address = this.address()
    if (typeof address !== 'object' || address === null) throw new Error('The server does not listen')
    const client = connect(address.port, '127.0.0.1').on('error', () => undefined)
    onFinished(() => client.destroy())
    this.once('connection', () => this.close(done))
    return this
  })
  onFinished(() => closed.mockRestore())
  const { host, port } = await fixedAddress({ host: '127.0.0.1', port: 0 })
  expect(host).toBe('127.0.0.1')
  expect(port).toBeGreaterThan(0)
  expect(closed).toHaveBeenCalledTimes(2)
})
