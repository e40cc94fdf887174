import { randomBytes } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'

import { expect, test } from 'vitest'

import { commit, git, gitOk, workTree } from '../../../../support/git-client.js'
import { addMember, type GitServer, gitServerForFile } from '../git-server.js'

const startGitServer = gitServerForFile()

/** A project whose protected `main` has two commits, and the work tree they came from. */
async function pushedProject(): Promise<{ server: GitServer; tree: string; head: string }> {
  const server = await startGitServer()
  const tree = await workTree()
  const head = await commit(tree, { b: 'b' })
  await gitOk(tree, 'push', server.remote(), 'main')
  server.pushed.length = 0
  return { server, tree, head }
}

async function branch(server: GitServer, name: string): Promise<string | undefined> {
  return (await server.repositories.resolveRef(server.project.id, name))?.sha
}

test('one refused ref refuses the whole push, with the reason, before git is asked', async () => {
  const { server, tree, head } = await pushedProject()
  const developer = await addMember(server, 'dev', 30)
  await commit(tree, { c: 'c' })
  const { exitCode, output } = await git(tree, 'push', server.remote(developer), 'main', 'main:topic')
  expect(exitCode).toBe(1)
  expect(output).toContain('remote: You are not allowed to push code to protected branches on this project.')
  expect(output).toMatch(/! \[remote rejected\] main -> main \(pre-receive hook declined\)/)
  expect(output).toMatch(/! \[remote rejected\] main -> topic \(pre-receive hook declined\)/)
  expect(await branch(server, 'main')).toBe(head)
  expect(await branch(server, 'topic')).toBeUndefined()
  expect(server.pushed).toEqual([])
  await gitOk(tree, 'push', server.remote(developer), 'main:topic')
  expect(server.pushed).toHaveLength(1)
})

test('a large refused push is read to its end and refused like a small one', async () => {
  const { server, tree } = await pushedProject()
  const developer = await addMember(server, 'dev', 30)
  await commit(tree, {
    large: randomBytes(3_000_000),
  })
  const { output } = await git(tree, 'push', server.remote(developer), 'main')
  expect(output).toContain('pre-receive hook declined')
})

test.each(['reset to an older commit', 'another commit'])(
  'a protected branch is not forced: %s',
  async (kind) => {
    const { server, tree, head } = await pushedProject()
    await gitOk(tree, 'reset', '--quiet', '--hard', 'HEAD~1')
    if (kind === 'another commit') await commit(tree, { other: 'x' })
    const { exitCode, output } = await git(tree, 'push', '--force', server.remote(), 'main', 'main:topic')
    expect(exitCode).toBe(1)
    expect(output).toContain(
      'remote: You are not allowed to force push code to a protected branch on this project.',
    )
    expect(output).toContain('main -> main (pre-receive hook declined)')
    expect(await branch(server, 'main')).toBe(head)
    expect(await branch(server, 'topic')).toBeUndefined()
    expect(await server.database.selectFrom('push').selectAll().execute()).toEqual([])
  },
)

test('other branches are forced freely, and a protected one moves forward in the same push', async () => {
  const { server, tree } = await pushedProject()
  await gitOk(tree, 'push', server.remote(), 'main:topic')
  await commit(tree, { c: 'c' })
  await gitOk(tree, 'push', '--force', server.remote(), 'main', '+main~2:topic')
  expect(await branch(server, 'main')).toBe(await gitOk(tree, 'rev-parse', 'main'))
  expect(await branch(server, 'topic')).toBe(await gitOk(tree, 'rev-parse', 'main~2'))
})

test('the default branch cannot be deleted, a tag not be moved by a developer', async () => {
  const { server, tree } = await pushedProject()
  const developer = await addMember(server, 'dev', 30)
  const deletion = await git(tree, 'push', server.remote(), ':main')
  expect(deletion.output).toContain('remote: The default branch of a project cannot be deleted.')
  await gitOk(tree, 'push', server.remote(developer), 'main:refs/tags/v1')
  const change = await git(tree, 'push', '--force', server.remote(developer), 'main~1:refs/tags/v1')
  expect(change.output).toContain('remote: You are not allowed to change existing tags on this project.')
})

test('no hook of a repository is run', async () => {
  const { server, tree } = await pushedProject()
  const hooks = `${server.repositories.path(server.project.id)}/hooks`
  await mkdir(hooks)
  for (const hook of ['pre-receive', 'update', 'post-receive', 'post-update', 'reference-transaction']) {
    await writeFile(`${hooks}/${hook}`, '#!/bin/sh\nexit 1\n', { mode: 0o755 })
  }
  await commit(tree, { c: 'c' })
  await gitOk(tree, 'push', server.remote(), 'main', 'main:topic')
  expect(server.pushed).toHaveLength(2)
})
