import { randomBytes } from 'node:crypto'

import { expect, test } from 'vitest'

import { setPassword } from '../../../../src/coordinator/accounts/users/account/password.js'
import { inTransaction } from '../../../../src/coordinator/database/transaction.js'
import { hashPassword } from '../../../../src/lib/password-hash.js'
import { commit, git, gitOk, workTree } from '../../../support/git-client.js'
import { insertRunningJob } from '../../support/running-job.js'
import { setSettings } from '../../support/set-settings.js'
import { startGitServer } from './git-server.js'

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
