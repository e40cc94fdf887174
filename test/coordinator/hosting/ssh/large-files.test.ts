import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { freePort } from '../../../support/free-port.js'
import { commit, gitOk, workTree } from '../../../support/git-client.js'
import { openForFile } from '../../../support/lifetime.js'
import { tempDir } from '../../../support/temp-dir.js'
import { openTestApp } from '../../support/test-coordinator.js'
import { deployKey, gitOverSsh, openSshScene } from './ssh-scene.js'

/** The SSH scene beside the HTTP server of the coordinator, which Git LFS needs. */
async function openLargeFiles() {
  const port = await freePort()
  const scene = await openSshScene({ externalUrl: `http://127.0.0.1:${port}` })
  const { app } = openTestApp(scene.services, { operations: () => [] })
  await app.listen({ host: '127.0.0.1', port })
  /** The response of `git-lfs-authenticate`, as a client asks for it. */
  const authenticate = async (operation: string, key = scene.key) => {
    // An alias runs the ssh command of git without a shell of the server.
    const { exitCode, output } = await gitOverSsh(
      '/',
      key,
      '-c',
      `alias.ask=!$GIT_SSH_COMMAND -p ${scene.server.port} git@127.0.0.1 git-lfs-authenticate ada/app.git ${operation}`,
      'ask',
    )
    return exitCode === 0
      ? (JSON.parse(output) as { href: string; header: { Authorization: string }; expires_in: number })
      : output
  }
  const call = async (url: string, authorization: string, method = 'GET', body?: object) => {
    const headers = {
      authorization,
      accept: 'application/vnd.git-lfs+json',
      ...(body && { 'content-type': 'application/vnd.git-lfs+json' }),
    }
    const response = await app.inject({
      method: method as 'GET',
      url: new URL(url).pathname + new URL(url).search,
      headers,
      ...(body && { payload: JSON.stringify(body) }),
    })
    return response.statusCode
  }
  return { ...scene, app, authenticate, call }
}

const largeFiles = openForFile(openLargeFiles)

test('git lfs pushes and fetches large files of a repository that is reached over SSH', async () => {
  const { key, remote } = largeFiles()
  const tree = await workTree({ '.gitattributes': '*.bin filter=lfs diff=lfs merge=lfs -text\n' })
  await gitOk(tree, 'lfs', 'install', '--local')
  await gitOk(tree, 'remote', 'add', 'origin', remote())
  const large = randomBytes(300_000)
  await commit(tree, { 'large.bin': large })
  expect(await gitOverSsh(tree, key, 'push', '--quiet', 'origin', 'main')).toMatchObject({ exitCode: 0 })
  const copy = join(await tempDir(), 'clone')
  const filters = ['-c', 'filter.lfs.smudge=git-lfs smudge %f', '-c', 'filter.lfs.required=true']
  const cloned = await gitOverSsh('/', key, ...filters, 'clone', '--quiet', remote(), copy)
  expect(cloned).toMatchObject({ exitCode: 0 })
  expect(await readFile(join(copy, 'large.bin'))).toEqual(large)
})

test('the credentials are for Git LFS alone, for the rights of the key, and end with it', async () => {
  const scene = largeFiles()
  const { authenticate, call, project, database } = scene
  const reader = await deployKey(scene, [project], false)
  expect(await authenticate('upload', reader)).toContain('not allowed to push')
  const result = await authenticate('download', reader)
  if (typeof result === 'string') throw new Error(result)
  const { href, header } = result
  expect(href).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/ada\/app\.git\/info\/lfs$/)
  const batch = (operation: string) =>
    call(`${href}/objects/batch`, header.Authorization, 'POST', {
      operation,
      objects: [{ oid: 'a'.repeat(64), size: 1 }],
    })
  expect(await batch('download')).toBe(200)
  expect(await batch('upload')).toBe(403)
  const refs = href.replace('info/lfs', 'info/refs?service=git-upload-pack')
  expect(await call(refs, header.Authorization)).toBe(401)
  expect(await call(`${href}/locks`, header.Authorization)).toBe(200)

  const changed = header.Authorization.replace(/.{6}$/, 'AAAAAA')
  expect(await call(`${href}/locks`, changed)).toBe(401)
  await database.deleteFrom('deploy_key').execute()
  expect(await call(`${href}/locks`, header.Authorization)).toBe(401)
})

test('the credentials of a user have the access that the user has now', async () => {
  const { authenticate, call, database, ada } = largeFiles()
  const result = await authenticate('upload')
  if (typeof result === 'string') throw new Error(result)
  const { href, header } = result
  const locks = () => call(`${href}/locks`, header.Authorization)
  expect(await locks()).toBe(200)
  await database.updateTable('user').set({ state: 'blocked' }).where('id', '=', ada.id).execute()
  expect(await locks()).toBe(403)
})
