import { Readable } from 'node:stream'

import Docker from 'dockerode'
import { pack } from 'tar-stream'
import { describe, expect, onTestFinished, test } from 'vitest'

import { createLogger } from '../../../src/lib/logger.js'
import {
  findOwner,
  numericOwner,
  UserResolver,
} from '../../../src/runner/executor/docker/users/resolve-user.js'
import { busyboxImage } from '../../support/docker-image.js'
import { dockerLeftovers } from '../../support/docker-leftovers.js'

const docker = new Docker()
const LABEL = 'switchyard.test.resolve-user'

function resolver(): UserResolver {
  return new UserResolver(docker, { [LABEL]: 'yes' }, createLogger('test', 'silent'))
}

/** Id of an image with these files, whose user is `user`. */
async function imageWith(files: Record<string, string | { link: string }>, user: string): Promise<string> {
  const archive = pack()
  archive.entry({ name: 'etc', type: 'directory' })
  for (const [name, content] of Object.entries(files)) {
    if (typeof content === 'string') archive.entry({ name }, content)
    else archive.entry({ name, type: 'symlink', linkname: content.link })
  }
  archive.finalize()
  const repo = 'switchyard-test-user'
  const tag = Math.random().toString(36).slice(2)
  const changes = user === '' ? {} : { changes: `USER ${user}` }
  const input = Readable.from(archive as AsyncIterable<Buffer>)
  const progress = await docker.importImage(input, { repo, tag, ...changes })
  await new Promise((resolve) => docker.modem.followProgress(progress, resolve))
  const image = docker.getImage(`${repo}:${tag}`)
  onTestFinished(() => image.remove({ force: true }))
  return (await image.inspect()).Id
}

const FILES = {
  passwd: 'root:x:0:0:root:/root:/bin/sh\nbuilder:x:1000:1001::/tmp:/bin/sh\n',
  group: 'root:x:0:\nbuilders:x:1001:builder\ndocker:x:999:\n',
}

test.each([
  ['builder', { uid: 1000, gid: 1001 }],
  ['builder:docker', { uid: 1000, gid: 999 }],
  ['builder:7', { uid: 1000, gid: 7 }],
  ['1000', { uid: 1000, gid: 1001 }],
  ['4321', { uid: 4321, gid: 0 }],
  ['4321:docker', { uid: 4321, gid: 999 }],
  ['stranger', undefined],
  ['builder:strangers', undefined],
])('the user %s has the IDs %j', (user, owner) => {
  expect(findOwner(user, FILES)).toEqual(owner)
})

test.each([
  ['', { uid: 0, gid: 0 }],
  ['root', { uid: 0, gid: 0 }],
  ['12:34', { uid: 12, gid: 34 }],
  ['12', undefined],
])('the user %j resolved without the image: %j', (user, owner) => {
  expect(numericOwner(user)).toEqual(owner)
})

describe('image user', () => {
  test('is resolved by name, and no container is left', async () => {
    const { Id: id } = await docker.getImage(await busyboxImage()).inspect()
    const users = resolver()
    expect(await users.resolve(id, 'builder')).toEqual({ uid: 1000, gid: 1000 })
    expect(await users.resolve(id, undefined)).toEqual({ uid: 0, gid: 0 })
    expect(await users.resolve(id, 'nobody-knows')).toBeUndefined()
    expect(await dockerLeftovers([LABEL])).toEqual([])
  })

  test('defaults to the user of the image', async () => {
    const id = await imageWith({ 'etc/passwd': 'app:x:77:78::/:/bin/sh\n' }, 'app')
    expect(await resolver().resolve(id, '')).toEqual({ uid: 77, gid: 78 })
  })

  test('is resolved through links within the image', async () => {
    const files = { 'etc/passwd': { link: '../real' }, real: 'app:x:55:56::/:/bin/sh\n' }
    expect(await resolver().resolve(await imageWith(files, ''), 'app')).toEqual({ uid: 55, gid: 56 })
    const loop = { 'etc/passwd': { link: 'passwd' } }
    expect(await resolver().resolve(await imageWith(loop, ''), 'app')).toBeUndefined()
  })

  test('with numeric IDs needs no user files', async () => {
    const id = await imageWith({ file: '' }, '')
    expect(await resolver().resolve(id, '1234')).toEqual({ uid: 1234, gid: 0 })
    expect(await resolver().resolve(id, 'app')).toBeUndefined()
  })

  test('is looked up once for repeated and concurrent requests; a failed lookup is retried', async () => {
    const { Id: id } = await docker.getImage(await busyboxImage()).inspect()
    const users = resolver()
    const responses = await Promise.all([users.resolve(id, 'builder'), users.resolve(id, 'builder')])
    expect(responses[0]).toBe(responses[1])
    const missing = `sha256:${'0'.repeat(64)}`
    await expect(users.resolve(missing, 'builder')).rejects.toThrow(/no such image/i)
    await expect(users.resolve(missing, 'builder')).rejects.toThrow(/no such image/i)
  })
})
