import { connect } from 'node:net'
import { text } from 'node:stream/consumers'

import { expect, test } from 'vitest'

import { Service } from '../../conformance/support/service.js'
import { openForFile } from '../../support/lifetime.js'

interface Received {
  status: number
  location: string | undefined
}

/** Sends the target as it is written, which clients for HTTP do not. */
async function get(service: Service, target: string, token?: string): Promise<Received> {
  const { hostname, port, host } = new URL(service.url)
  const socket = connect(Number(port), hostname)
  const lines = [`GET ${target} HTTP/1.1`, `Host: ${host}`, 'Connection: close']
  if (token !== undefined) lines.push(`PRIVATE-TOKEN: ${token}`, `Authorization: Basic ${basic(token)}`)
  socket.write(`${lines.join('\r\n')}\r\n\r\n`)
  const [head = ''] = (await text(socket)).split('\r\n\r\n', 1)
  return {
    status: Number(head.split(' ')[1]),
    location: /^location: (.*)$/im.exec(head)?.[1],
  }
}

function basic(token: string): string {
  return Buffer.from(`any:${token}`).toString('base64')
}

/** A service with a project that has moved within the namespace, and so has an old address. */
async function openMovedProject() {
  const service = await Service.start()
  const project = await service.addProject({ a: 'a' }, service.root, { path: 'before', name: 'before' })
  await service.json('PUT', `/projects/${project.id}`, { path: 'after' })
  return { service, id: project.id }
}

const moved = openForFile(openMovedProject)

const PREFIXES = [
  '//evil.example',
  '/\\evil.example',
  '/%2Fevil.example',
  '/%5Cevil.example',
  '///evil.example',
  '/\t/evil.example',
  'http://evil.example/',
  'http://evil.example//evil.example',
]
const PATHS = [
  '/x/info/refs?service=git-upload-pack',
  '/root/before/info/refs?service=git-upload-pack',
  '/root/before.git/info/refs?service=git-upload-pack',
  '/root/before/-/pipelines',
  '/api/v4/projects/root%2Fbefore',
  '/-/releases/permalink/latest',
]

test('no redirect leads away from the server, whatever the address that was asked for', async () => {
  const { service } = moved()
  const { origin } = new URL(service.url)
  const redirected = new Set<number>()
  for (const target of PREFIXES.flatMap((prefix) => PATHS.map((path) => prefix + path))) {
    for (const token of [undefined, service.root.token]) {
      const { status, location } = await get(service, target, token)
      redirected.add(status)
      if (location === undefined) continue
      expect(new URL(location, origin).origin, `${target} leads to ${location}`).toBe(origin)
    }
  }
  expect([...redirected].filter((status) => status >= 500)).toEqual([])
})

test('the addresses that a project had before lead to it, for git, for people and for the API', async () => {
  const { service, id } = moved()
  const [forGit, forPeople, forApi] = [
    '/root/before.git/info/refs?service=git-upload-pack',
    '/root/before/-/pipelines',
    '/api/v4/projects/root%2Fbefore',
  ]
  const { token } = service.root
  expect(await get(service, forGit, token)).toEqual({
    status: 301,
    location: '/root/after.git/info/refs?service=git-upload-pack',
  })
  expect(await get(service, '/root/after/info/refs?service=git-upload-pack')).toEqual({
    status: 301,
    location: '/root/after.git/info/refs?service=git-upload-pack',
  })
  expect(await get(service, forApi, token)).toEqual({
    status: 301,
    location: `${service.url}/api/v4/projects/${id}`,
  })
  expect((await get(service, forPeople, token)).location).toBe('/root/after/-/pipelines')
})
