import * as dns from 'node:dns'

import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'

import { dialSession } from '../../../src/coordinator/ci/terminals/dial-session.js'
import { EgressClient } from '../../../src/coordinator/egress/egress-client.js'
import { pinnedRemote } from '../../../src/coordinator/egress/remote-repository.js'
import { LocalAddressError } from '../../../src/egress/errors.js'
import { gitEnvironment } from '../../../src/git/environment.js'
import { webServer } from '../../coordinator/egress/web-server.js'
import { SessionServer } from '../../support/session-server.js'

vi.mock('node:dns', { spy: true })

const request = { timeout: 5000, maxBytes: 1000 }
const HOST = 'rebinding.example'

beforeEach(() => {
  vi.mocked(dns.lookup).mockReset()
})

/** A name server that gives another response each time: these addresses, one after the other. */
function results(...addresses: string[][]): void {
  const left = [...addresses]
  vi.mocked(dns.lookup).mockImplementation(((_host: string, _options: unknown, done: LookupAll) => {
    const next = left.shift() ?? []
    done(
      null,
      next.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    )
  }) as typeof dns.lookup)
}

type LookupAll = (error: Error | null, addresses: { address: string; family: number }[]) => void

function newClient(isLocal?: (address: string) => boolean): EgressClient {
  const client = new EgressClient({ allowLocalNetwork: false }, isLocal)
  onTestFinished(() => client.close())
  return client
}

test('the address that was checked is the one that is connected to, whatever the name leads to next', async () => {
  const server = await webServer((_, response) => response.end('hello'))
  results(['127.0.0.1'], ['192.0.2.1'])
  // As if this machine's address were a public one.
  const client = newClient(() => false)
  const { body } = await client.send({ ...request, url: `http://${HOST}:${server.port}/` })
  expect(body.toString()).toBe('hello')
  expect(vi.mocked(dns.lookup).mock.calls.filter(([host]) => host === HOST)).toHaveLength(1)
})

test('the session server of a runner is connected to at the address that was checked', async () => {
  const server = await SessionServer.start({ host: HOST })
  results(['127.0.0.1'], ['192.0.2.1'])
  const { signal } = new AbortController()
  const dialed = await dialSession(server.session(HOST), { egress: newClient(() => false), signal })
  expect(dialed.kind).toBe('open')
  if (dialed.kind === 'open') dialed.socket.terminate()
  expect(vi.mocked(dns.lookup).mock.calls.filter(([host]) => host === HOST)).toHaveLength(1)
  results(['8.8.8.8', '127.0.0.1'])
  const refused = await dialSession(server.session(HOST), { egress: newClient(), signal })
  expect(refused).toMatchObject({ failure: { kind: 'local-address' } })
  expect(server.connections()).toBe(1)
})

test.each([
  [['127.0.0.1']],
  [['8.8.8.8', '127.0.0.1']],
  [['8.8.8.8', '::1']],
  [['::ffff:0:7f00:1']],
  [['168.63.129.16']],
])('a name with a local address among its addresses is not connected to: %j', async (addresses) => {
  const server = await webServer((_, response) => response.end('secret'))
  results(addresses)
  const sending = newClient().send({ ...request, url: `http://${HOST}:${server.port}/` })
  await expect(sending).rejects.toThrow(LocalAddressError)
  expect(server.asked).toEqual([])
})

test('git connects to the address that was checked, and follows no redirect', async () => {
  const addressOf = vi.fn(() => Promise.resolve('8.8.8.8'))
  const { settings } = await pinnedRemote(`https://${HOST}/group/project.git`, addressOf)
  expect(addressOf).toHaveBeenCalledTimes(1)
  expect(settings).toMatchObject({ 'http.curloptResolve': `${HOST}:443:8.8.8.8`, 'http.proxy': '' })
  const environment = gitEnvironment(settings)
  const [key = ''] = Object.entries(environment).find(([, value]) => value === 'http.followRedirects') ?? []
  expect(environment[key.replace('KEY', 'VALUE')]).toBe('false')
})
