import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { describe, expect, onTestFinished, test } from 'vitest'

import { type AllowedHost, EgressRules, parseAllowedHost } from '../../../src/egress/egress-rules.js'
import { resolveSecrets } from '../../../src/runner/secrets/resolve-secrets.js'
import { checkedAddress } from '../../../src/runner/workspace/submodules/checked-address.js'

/** A service of the runner's machine that counts the requests it gets, and returns all in the same way. */
async function hostService(status = 200, headers = {}, body: Buffer | string = '{}') {
  const requests: string[] = []
  const server = createServer((request, response) => {
    requests.push(request.url ?? '')
    response.writeHead(status, headers).end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { requests, port: (server.address() as AddressInfo).port }
}

function allowing(...hosts: string[]): EgressRules {
  return new EgressRules(
    hosts.map(parseAllowedHost).filter((host): host is AllowedHost => host !== undefined),
  )
}

async function readVault(url: string, egress: EgressRules) {
  const server = { url, auth: { name: 'jwt', path: 'jwt', data: { jwt: 'x' } } }
  const secret = { vault: { server, engine: { name: 'kv-v2', path: 'kv' }, path: 'db', field: 'password' } }
  const signal = new AbortController().signal
  const rest = { expand: (text: string) => text, attempts: 1, retryDelay: 1, signal, log: () => {} }
  return resolveSecrets({ secrets: { DB: secret }, egress, ...rest })
}

describe('the Vault that a job names', () => {
  test.each(['127.0.0.1', 'localhost', '[::ffff:127.0.0.1]', '0.0.0.0', '127.1'])(
    'cannot be a service of the runner’s machine at %s',
    async (host) => {
      const { port, requests } = await hostService()
      await expect(readVault(`http://${host}:${port}`, allowing())).rejects.toThrow('allowed_local_hosts')
      expect(requests).toEqual([])
    },
  )

  test.each(['127.0.0.1', 'localhost'])(
    'may be at %s when the settings of the runner allow that host',
    async (host) => {
      const { port, requests } = await hostService()
      await expect(readVault(`http://${host}:${port}`, allowing(host))).rejects.toThrow('returned no token')
      expect(requests).toEqual(['/v1/auth/jwt/login'])
    },
  )

  test('cannot redirect the runner to another service', async () => {
    const inner = await hostService()
    const location = `http://127.0.0.1:${inner.port}/`
    const { port } = await hostService(307, { location })
    await expect(readVault(`http://127.0.0.1:${port}`, allowing('127.0.0.1'))).rejects.toThrow('returns 307')
    expect(inner.requests).toEqual([])
  })

  test('cannot fill the memory of the runner: a response of more than 1 MiB is refused', async () => {
    const { port } = await hostService(200, {}, Buffer.alloc(1024 * 1024 + 1, ' '))
    await expect(readVault(`http://127.0.0.1:${port}`, allowing('127.0.0.1'))).rejects.toThrow(
      'the response is larger than 1048576 bytes',
    )
  })
})

describe('a submodule on another server', () => {
  const { signal } = new AbortController()
  const address = (url: string, ...allowed: string[]) =>
    checkedAddress('lib', { url, credentials: {} }, allowing(...allowed), signal)

  test.each([
    'http://169.254.169.254/latest',
    'http://127.0.0.1:2375/a',
    'http://127.1/a',
    'http://0x7f000001/a',
    'http://localhost/a',
    'http://[::1]/a',
    'http://[::ffff:127.0.0.1]/a',
    'http://[fe80::1]/a',
    'http://192.168.1.1/a',
    'http://10.2.0.1/a',
  ])('is not fetched from %s', async (url) => {
    await expect(address(url)).rejects.toThrow('The submodule "lib" is not fetched')
    await expect(address(url)).rejects.toThrow('allowed_local_hosts')
  })

  test('is fetched from the address that was checked, whatever the name resolves to later', async () => {
    const { port } = await hostService()
    const { credentials } = await address(`http://localhost:${port}/a`, 'localhost')
    expect(credentials['http.curloptResolve']).toMatch(/^localhost:\d+:(127\.0\.0\.1|\[::1\])$/)
  })

  test('cannot redirect git to a service of the runner’s machine', async () => {
    const inner = await hostService()
    const location = `http://127.0.0.2:${inner.port}/x.git/info/refs?service=git-upload-pack`
    const { port } = await hostService(301, { location })
    await expect(address(`http://127.0.0.1:${port}/x`, '127.0.0.1')).rejects.toThrow(
      '127.0.0.2 is an address',
    )
    expect(inner.requests).toEqual([])
  })

  test('may be redirected by its server to a host that is allowed', async () => {
    const inner = await hostService()
    const location = `http://127.0.0.1:${inner.port}/x.git/info/refs?service=git-upload-pack`
    const { port } = await hostService(301, { location })
    expect((await address(`http://127.0.0.1:${port}/x`, '127.0.0.1')).url).toBe(
      `http://127.0.0.1:${inner.port}/x.git`,
    )
    expect(inner.requests).toEqual(['/x.git/info/refs?service=git-upload-pack'])
  })
})

test.each(['10.0.0.0/33', '10.0.0.0/x', '10.0.0.0/8/8', 'https://vault.example', 'a b', ''])(
  '"%s" is no host that the settings of the runner may list',
  (text) => {
    expect(parseAllowedHost(text)).toBeUndefined()
  },
)
