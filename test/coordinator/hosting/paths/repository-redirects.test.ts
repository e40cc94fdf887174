import Fastify from 'fastify'
import { expect, onTestFinished, test } from 'vitest'

import { createUser } from '../../../../src/coordinator/accounts/users/account/create-user.js'
import { inTransaction } from '../../../../src/coordinator/database/transaction.js'
import { createRedirectFinder } from '../../../../src/coordinator/hosting/paths/redirects.js'
import { redirectPageServer } from '../../../../src/coordinator/hosting/paths/serve-redirects.js'
import { moveProject } from '../../../../src/coordinator/hosting/projects/store.js'
import { commit, git, gitOk, workTree } from '../../../support/git-client.js'
import { tempDir } from '../../../support/temp-dir.js'
import { type GitServer, startGitServer, tokenOf } from '../repositories/git-server.js'

function move({ database, project }: GitServer, path: string) {
  return inTransaction(database, (tx) => moveProject(tx, project.id, { path, full_path: `ada/${path}` }))
}

test('a clone follows its project to the new path', async () => {
  const server = await startGitServer()
  const tree = await workTree()
  await gitOk(tree, 'remote', 'add', 'origin', server.remote())
  await gitOk(tree, 'push', '--quiet', 'origin', 'main')
  await move(server, 'moved')
  await commit(tree, { b: 'b' })
  await gitOk(tree, 'push', '--quiet', 'origin', 'main')
  const clone = `${await tempDir()}/clone`
  await gitOk('/', 'clone', '--quiet', server.remote(), clone)
  const head = await gitOk(tree, 'rev-parse', 'HEAD')
  expect(await gitOk(clone, 'rev-parse', 'HEAD')).toBe(head)
  expect(await gitOk(clone, 'fetch', 'origin')).toContain('')
  expect(server.pushed).toHaveLength(2)
})

test('the new path of a private project is shown only to users who can see it', async () => {
  const server = await startGitServer()
  await move(server, 'moved')
  const stranger = await createUser(server.database, { username: 'eve', name: 'E', email: 'e@example.com' })
  const token = await tokenOf(server, stranger, ['write_repository'])
  for (const remote of [server.remote(token), `${server.url}/ada/app.git`]) {
    const { exitCode, output } = await git('/', 'ls-remote', remote)
    expect([exitCode, output.includes('moved')]).toEqual([128, false])
  }
  const redirect = await fetch(`${server.url}/ada/app.git/info/refs?service=git-upload-pack`, {
    redirect: 'manual',
    headers: { authorization: `Basic ${Buffer.from(`a:${server.ownerToken}`).toString('base64')}` },
  })
  expect([redirect.status, redirect.headers.get('location')]).toEqual([
    301,
    '/ada/moved.git/info/refs?service=git-upload-pack',
  ])
})

test('pages of a project redirect to its new path for users who can see it', async () => {
  const server = await startGitServer()
  await move(server, 'moved')
  const serve = redirectPageServer({
    moved: createRedirectFinder(server.database),
    readCaller: (request) =>
      Promise.resolve(
        request.headers['x-by'] === 'ada'
          ? { kind: 'user', user: server.owner, scopes: ['api'], tokenId: undefined }
          : { kind: 'anonymous' },
      ),
    maySee: (caller) => Promise.resolve(caller.kind === 'user'),
  })
  const app = Fastify()
  onTestFinished(() => app.close())
  app.get('/*', async (request, reply) => (await serve(request, reply)) || reply.status(404).send())
  const led = async (url: string, by = 'ada') => {
    const { statusCode, headers } = await app.inject({ url, headers: { 'x-by': by } })
    return statusCode === 301 ? headers.location : statusCode
  }
  expect(await led('/ada/app')).toBe('/ada/moved')
  expect(await led('/ADA/App/-/badges/main/pipeline.svg?key_text=a%20b')).toBe(
    '/ada/moved/-/badges/main/pipeline.svg?key_text=a%20b',
  )
  expect(await led('/ada/app/uploads/00/a%2Fb.png')).toBe('/ada/moved/uploads/00/a%2Fb.png')
  expect(await led('/ada/app/-/jobs', 'eve')).toBe(404)
  for (const none of ['/ada', '/ada/moved', '/ada/app2', '/', '//', '/-/x', '/ada/-/app', '/%00/a']) {
    expect([none, await led(none)]).toEqual([none, 404])
  }
})
