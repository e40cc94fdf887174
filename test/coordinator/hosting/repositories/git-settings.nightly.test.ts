import { randomBytes } from 'node:crypto'

import { expect, test } from 'vitest'

import { setPassword } from '../../../../src/coordinator/accounts/users/account/password.js'
import { inTransaction } from '../../../../src/coordinator/database/transaction.js'
import { hashPassword } from '../../../../src/lib/password-hash.js'
import { commit, git, gitOk, workTree } from '../../../support/git-client.js'
import { insertRunningJob } from '../../support/running-job.js'
import { setSettings } from '../../support/set-settings.js'
import { gitServerForFile } from './git-server.js'

const startGitServer = gitServerForFile()

test('a push is as large as the settings allow at that time', async () => {
  const server = await startGitServer()
  const tree = await workTree({ large: randomBytes(1_500_000) })
  await setSettings(server.services, { receive_max_input_size: 1 })
  const refused = await git(tree, 'push', server.remote(), 'main')
  expect(refused.exitCode).not.toBe(0)
  expect(refused.output).toContain('pack exceeds maximum allowed size')
  await setSettings(server.services, { receive_max_input_size: 2 })
  await gitOk(tree, 'push', server.remote(), 'main')
})

test('a push of more branches than the settings say has no events', async () => {
  const server = await startGitServer()
  const tree = await workTree()
  await setSettings(server.services, { push_event_hooks_limit: 1 })
  await gitOk(tree, 'push', server.remote(), 'main:a', 'main:b')
  expect(server.moved).toEqual([])
  await setSettings(server.services, { push_event_hooks_limit: 2 })
  await gitOk(tree, 'push', server.remote(), 'main:c', 'main:d')
  expect(server.moved.map(({ ref }) => ref)).toEqual(['refs/heads/c', 'refs/heads/d'])
})

test('refs that a push changes alike have one activity if they are more than the settings say', async () => {
  const server = await startGitServer()
  const tree = await workTree()
  const userId = server.owner.id
  const pushed = async (...refs: string[]) => {
    server.recorded.length = server.bulk.length = 0
    await gitOk(tree, 'push', server.remote(), ...refs)
    expect(await server.database.selectFrom('push').selectAll().execute()).toEqual([])
    return [server.recorded, server.bulk]
  }
  await setSettings(server.services, { push_event_activities_limit: 1 })
  await gitOk(tree, 'commit', '--allow-empty', '-m', 'more')
  // Also those whose effects end with the push itself: no pipeline, no webhook event.
  const many = ['a', 'b', 'c', 'd', 'e', 'f']
  expect(await pushed(...many.map((name) => `main:refs/tags/${name}`), 'main:main')).toEqual([
    ['refs/heads/main'],
    [{ kind: 'tag', action: 'created', count: 6, userId }],
  ])
  expect(await pushed(...many.map((name) => `:refs/tags/${name}`))).toEqual([
    [],
    [{ kind: 'tag', action: 'removed', count: 6, userId }],
  ])
  expect(await pushed('main:x', 'main:y', 'main:refs/tags/t')).toEqual([
    ['refs/tags/t'],
    [{ kind: 'branch', action: 'created', count: 2, userId }],
  ])
  await setSettings(server.services, { push_event_activities_limit: 10, push_event_hooks_limit: 1 })
  server.moved.length = 0
  expect(await pushed(...many.map((name) => `main:${name}`))).toEqual([
    many.map((name) => `refs/heads/${name}`),
    [],
  ])
  expect(server.moved).toEqual([])
})

test('a ref that git refuses is no part of the activity for many', async () => {
  const server = await startGitServer()
  const tree = await workTree()
  await setSettings(server.services, { push_event_activities_limit: 1 })
  // A file where git needs a folder.
  await gitOk(tree, 'push', server.remote(), 'main:taken')
  server.bulk.length = 0
  await git(tree, 'push', server.remote(), 'main:x', 'main:y', 'main:taken/z')
  expect(server.bulk).toMatchObject([{ count: 2 }])
  expect(await server.database.selectFrom('push').selectAll().execute()).toEqual([])
})

test('git uses HTTP only if the settings allow it, but jobs always do', async () => {
  const server = await startGitServer()
  const tree = await workTree()
  await gitOk(tree, 'push', server.remote(), 'main')
  await setSettings(server.services, { enabled_git_access_protocol: 'ssh' })
  const refused = await git(tree, 'ls-remote', server.remote())
  expect(refused.exitCode).not.toBe(0)
  expect(refused.output).toContain('Git access over HTTP is not allowed')
  const jobToken = await insertRunningJob(server.database, {
    projectId: server.project.id,
    userId: server.owner.id,
  })
  expect(await gitOk(tree, 'ls-remote', server.remote(jobToken, 'gitlab-ci-token'))).toContain(
    'refs/heads/main',
  )
  await setSettings(server.services, { enabled_git_access_protocol: 'http' })
  expect(await gitOk(tree, 'ls-remote', server.remote())).toContain('refs/heads/main')
})

test('git takes passwords of users only if the settings allow it', async () => {
  const server = await startGitServer()
  const hash = await hashPassword('correct-horse')
  await inTransaction(server.database, (tx) => setPassword(tx, server.owner.id, hash))
  const tree = await workTree()
  await commit(tree, { b: 'b' })
  const remote = server.remote('correct-horse', 'ada')
  await gitOk(tree, 'push', remote, 'main')
  await setSettings(server.services, { password_authentication_enabled_for_git: false })
  expect((await git(tree, 'ls-remote', remote)).exitCode).not.toBe(0)
  expect(await gitOk(tree, 'ls-remote', server.remote())).toContain('refs/heads/main')
})
