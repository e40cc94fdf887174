import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { openSqlite } from '../../../support/databases.js'
import { freePort } from '../../../support/free-port.js'
import { commit, git, gitOk, workTree } from '../../../support/git-client.js'
import { openForFile } from '../../../support/lifetime.js'
import { testAtNight } from '../../../support/nightly.js'
import { tempDir } from '../../../support/temp-dir.js'
import { addMember } from '../repositories/git-server.js'
import { type LfsScene, oidOf, startLfs } from './lfs-client.js'

/** A server, and a work tree with one large file of which only the pointer is in git. */
async function pushed(): Promise<{ server: LfsScene; tree: string; large: Buffer }> {
  const server = await startLfs(openSqlite, undefined, await freePort())
  const tree = await workTree({ '.gitattributes': '*.bin filter=lfs diff=lfs merge=lfs -text lockable\n' })
  await gitOk(tree, 'lfs', 'install', '--local')
  await gitOk(tree, 'remote', 'add', 'origin', server.remote())
  const large = randomBytes(300_000)
  await commit(tree, { 'large.bin': large })
  await gitOk(tree, 'push', '--quiet', 'origin', 'main')
  return { server, tree, large }
}

const scene = openForFile(pushed)

async function clone(server: LfsScene, token?: string): Promise<string> {
  const tree = join(await tempDir(), 'clone')
  const filters = ['-c', 'filter.lfs.smudge=git-lfs smudge %f', '-c', 'filter.lfs.required=true']
  await gitOk('/', ...filters, 'clone', '--quiet', server.remote(token), tree)
  return tree
}

test('git lfs pushes large files, and clones and pulls get them', async () => {
  const { server, tree, large } = scene()
  expect(await gitOk(tree, 'show', 'HEAD:large.bin')).toContain(`oid sha256:${oidOf(large)}\nsize 300000`)
  const copy = await clone(server)
  expect(await readFile(join(copy, 'large.bin'))).toEqual(large)
  await gitOk(copy, 'lfs', 'install', '--local')
  const larger = randomBytes(400_000)
  await commit(tree, { 'large.bin': larger, 'second.bin': large })
  await gitOk(tree, 'push', '--quiet', 'origin', 'main')
  await gitOk(copy, 'pull', '--quiet', 'origin', 'main')
  expect(await readFile(join(copy, 'large.bin'))).toEqual(larger)
  expect(await readFile(join(copy, 'second.bin'))).toEqual(large)
  expect(await git(copy, 'lfs', 'fsck')).toMatchObject({ exitCode: 0 })
})

testAtNight('git lfs locks a file, which others then neither lock nor push', async () => {
  const { server, tree } = scene()
  expect(await gitOk(tree, 'lfs', 'lock', 'large.bin')).toContain('Locked large.bin')
  expect(await gitOk(tree, 'lfs', 'locks')).toContain('large.bin')
  const token = await addMember(server, 'eve', 30)
  const copy = await clone(server, token)
  await gitOk(copy, 'lfs', 'install', '--local')
  const second = await git(copy, 'lfs', 'lock', 'large.bin')
  expect(second.exitCode).not.toBe(0)
  expect(second.output).toContain('The file is locked by Ada.')
  await gitOk(copy, 'config', 'lfs.locksverify', 'true')
  await commit(copy, { 'large.bin': randomBytes(1000) })
  const push = await git(copy, 'push', '--quiet', 'origin', 'HEAD:refs/heads/work')
  expect(push.exitCode).not.toBe(0)
  expect(push.output).toContain('large.bin - Ada')
  expect((await git(copy, 'lfs', 'unlock', '--force', 'large.bin')).exitCode).not.toBe(0)
  expect(await gitOk(tree, 'lfs', 'unlock', 'large.bin')).toContain('Unlocked large.bin')
  await gitOk(copy, 'push', '--quiet', 'origin', 'HEAD:refs/heads/work')
  expect(await gitOk(copy, 'lfs', 'lock', 'large.bin')).toContain('Locked large.bin')
})
