import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { openSqlite } from '../../../support/databases.js'
import { freePort } from '../../../support/free-port.js'
import { commit, git, gitOk, workTree } from '../../../support/git-client.js'
import { tempDir } from '../../../support/temp-dir.js'
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

async function clone(server: LfsScene, token?: string): Promise<string> {
  const tree = join(await tempDir(), 'clone')
  const filters = ['-c', 'filter.lfs.smudge=git-lfs smudge %f', '-c', 'filter.lfs.required=true']
  await gitOk('/', ...filters, 'clone', '--quiet', server.remote(token), tree)
  return tree
}

test('git lfs pushes large files, and clones and pulls get them', async () => {
  const { server, tree, large } = await pushed()
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
