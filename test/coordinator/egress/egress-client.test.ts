import { describe, expect, onTestFinished, test } from 'vitest'

import { EgressClient } from '../../../src/coordinator/egress/egress-client.js'
import { ResponseError } from '../../../src/coordinator/egress/errors.js'
import { LocalAddressError } from '../../../src/egress/errors.js'
import { webServer } from './web-server.js'

const request = { timeout: 5000, maxBytes: 1000, redirects: 5 }

function newClient(allowLocalNetwork: boolean, isLocal?: (address: string) => boolean): EgressClient {
  const client = new EgressClient({ allowLocalNetwork }, isLocal)
  onTestFinished(() => client.close())
  return client
}

describe('a request to the local network', () => {
  test.each(['127.0.0.1', 'localhost', '[::1]', '0x7f.1', '127.1', '[::ffff:127.0.0.1]'])(
    'is not made to %s',
    async (host) => {
      const { port, asked } = await webServer((_, response) => response.end('secret'))
      const sending = newClient(false).send({ ...request, url: `http://${host}:${port}/` })
      await expect(sending).rejects.toThrow(LocalAddressError)
      expect(asked).toEqual([])
    },
  )

  test('is made when the instance allows it', async () => {
    const { url } = await webServer((_, response) => response.end('hello'))
    const result = await newClient(true).send({ ...request, url })
    expect(result).toMatchObject({ status: 200, body: Buffer.from('hello') })
  })

  test('is not made for a redirect either', async () => {
    const inner = await webServer((_, response) => response.end('secret'))
    const outer = await webServer((_, response) =>
      response.writeHead(302, { location: `http://localhost:${inner.port}/` }).end(),
    )
    // As if this machine's own address were a public one, and only its name led inside.
    const sent: string[] = []
    const client = newClient(false, (address) => sent.push(address) > 1)
    await expect(client.send({ ...request, url: outer.url })).rejects.toThrow(LocalAddressError)
    expect(outer.asked).toHaveLength(1)
    expect(inner.asked).toEqual([])
  })
})

describe('a response', () => {
  test('is followed where it leads, as often as wanted', async () => {
    const { url, asked } = await webServer(({ url }, response) =>
      url === '/end' ? response.end('there') : response.writeHead(301, { location: '/end' }).end(),
    )
    const client = newClient(true)
    expect((await client.send({ ...request, url })).body.toString()).toBe('there')
    expect((await client.send({ ...request, url, redirects: 0 })).status).toBe(301)
    expect(asked).toEqual(['/', '/end', '/'])
  })

  test('that leads to itself ends', async () => {
    const { url, asked } = await webServer((_, response) => response.writeHead(302, { location: '/' }).end())
    expect((await newClient(true).send({ ...request, url })).status).toBe(302)
    expect(asked).toHaveLength(6)
  })

  test.each(['file:///etc/passwd', 'ftp://example.com/'])('is not looked for at %s', async (location) => {
    const { url } = await webServer((_, response) => response.writeHead(302, { location }).end())
    await expect(newClient(true).send({ ...request, url })).rejects.toThrow(ResponseError)
  })

  test('that is too long is not read to its end', async () => {
    const { url } = await webServer((_, response) => response.end('x'.repeat(5000)))
    await expect(newClient(true).send({ ...request, url })).rejects.toThrow('larger than 1000 bytes')
  })
})
