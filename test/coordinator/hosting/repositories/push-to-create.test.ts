import { expect, test } from 'vitest'

import { git, gitOk, workTree } from '../../../support/git-client.js'
import { addMember, startGitServer, tokenOf } from './git-server.js'

test('a push to where there is no project makes a private one, and says so once', async () => {
  const server = await startGitServer()
  const tree = await workTree()
  const remote = server.remote().replace('ada/app', 'ada/new')
  const first = await git(tree, 'push', remote, 'main')
  expect(first.output).toContain('remote: The private project ada/new was successfully created.')
  const made = await server.database
    .selectFrom('project')
    .select(['visibility', 'default_branch', 'creator_id'])
    .where('full_path', '=', 'ada/new')
    .executeTakeFirst()
  expect(made).toEqual({ visibility: 'private', default_branch: 'main', creator_id: server.owner.id })
  const second = await git(tree, 'push', remote, 'main:other')
  expect(second.output).not.toContain('created')
  expect(await gitOk('/', 'ls-remote', '--heads', remote)).toContain('refs/heads/other')
})

test('no project is created without permission, by a fetch or with a read-only token', async () => {
  const server = await startGitServer()
  const tree = await workTree()
  const stranger = await addMember(server, 'eve', 0)
  const reader = await tokenOf(server, server.owner, ['read_repository', 'read_api'])
  const at = (path: string, token?: string) => server.remote(token).replace('ada/app', path)
  for (const args of [
    ['push', at('ada/new', stranger), 'main'],
    ['push', at('nowhere/new'), 'main'],
    ['push', at('ada/new', reader), 'main'],
    ['push', at('ada/none.wiki'), 'main'],
    ['ls-remote', at('ada/new')],
  ]) {
    const refused = await git(tree, ...args)
    expect([refused.exitCode, refused.output]).toEqual([128, expect.stringContaining('not found')])
  }
  const wrong = await git(tree, 'push', at('ada/-new'), 'main')
  expect([wrong.exitCode, wrong.output]).toEqual([
    128,
    expect.stringContaining('path can contain only letters'),
  ])
  expect(await server.database.selectFrom('project').select('full_path').execute()).toEqual([
    { full_path: 'ada/app' },
  ])
})
