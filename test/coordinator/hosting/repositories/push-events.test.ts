import { expect, test } from 'vitest'

import { pushedCommits } from '../../../../src/coordinator/hosting/repositories/push/pushed-commits.js'
import { commit, gitOk, workTree } from '../../../support/git-client.js'
import { testAtNight } from '../../../support/nightly.js'
import { startGitServer } from './git-server.js'

const ZERO = '0'.repeat(40)

test('events for created, moved and deleted branches and tags, up to a limit for each push', async () => {
  const server = await startGitServer()
  const tree = await workTree()
  const first = await gitOk(tree, 'rev-parse', 'HEAD')
  const pushRefs = async (...refs: string[]) => {
    server.moved.length = 0
    await gitOk(tree, 'push', '-q', server.remote(), ...refs)
    return server.moved.map(({ ref, before, after }) => [ref, before, after])
  }
  expect(await pushRefs('HEAD:refs/heads/main')).toEqual([['refs/heads/main', ZERO, first]])
  const second = await commit(tree, { b: 'b' })
  expect(await pushRefs('HEAD:refs/heads/main')).toEqual([['refs/heads/main', first, second]])
  await gitOk(tree, 'tag', '-a', 'noted', '-m', 'Noted')
  const noted = await gitOk(tree, 'rev-parse', 'refs/tags/noted')
  expect(await pushRefs('refs/tags/noted')).toEqual([['refs/tags/noted', ZERO, noted]])

  // Six refs: over the limit of pipelines for each push, under the limit of events.
  const branches = ['x', 'y', 'z'].map((name) => `HEAD:refs/heads/${name}`)
  const tags = ['1', '2', '3'].map((name) => `HEAD:refs/tags/${name}`)
  expect(await pushRefs(...branches, ...tags)).toHaveLength(6)
  expect(server.pushed).toHaveLength(3 + 4)

  // Four branches are too many, the tag beside them is not.
  const many = ['a', 'b', 'c', 'd'].map((name) => `HEAD:refs/heads/${name}`)
  expect(await pushRefs(...many, 'HEAD:refs/tags/4')).toEqual([['refs/tags/4', ZERO, second]])
  expect(await pushRefs(':refs/heads/a', ':refs/tags/noted')).toEqual([
    ['refs/heads/a', second, ZERO],
    ['refs/tags/noted', noted, ZERO],
  ])
  expect(await server.database.selectFrom('push').selectAll().execute()).toEqual([])
})

testAtNight('the newest commits of a push, with the files each changed', async () => {
  const server = await startGitServer()
  const tree = await workTree({ kept: '1', changed: '1', gone: '1' })
  const base = await gitOk(tree, 'rev-parse', 'HEAD')
  await gitOk(tree, 'rm', '-q', 'gone')
  const changed = await commit(tree, { changed: '2', 'new file\n"x"': '1' })
  await gitOk(tree, 'checkout', '-q', '-b', 'side', base)
  await commit(tree, { side: '1' })
  await gitOk(tree, 'checkout', '-q', 'main')
  await gitOk(tree, 'merge', '-q', '--no-ff', '-m', 'Merge', 'side')
  const merge = await gitOk(tree, 'rev-parse', 'HEAD')
  for (let count = 0; count < 20; count++)
    await gitOk(tree, 'commit', '-q', '--allow-empty', '-m', `${count}`)
  const head = await gitOk(tree, 'rev-parse', 'HEAD')
  await gitOk(tree, 'push', '-q', server.remote(), 'HEAD:refs/heads/main')
  const gitDir = server.repositories.path(server.project.id)

  const all = await pushedCommits(gitDir, { to: head, known: [base], most: 20 })
  expect([all.total, all.commits.length, all.commits.at(-1)?.id]).toEqual([23, 20, head])
  const some = await pushedCommits(gitDir, { to: merge, known: [base], most: 20 })
  expect(some.commits).toContainEqual({
    id: changed,
    added: ['new file\n"x"'],
    modified: ['changed'],
    removed: ['gone'],
  })
  // A merge has the changes that it brought to the branch.
  expect(some.commits.at(-1)).toEqual({ id: merge, added: ['side'], modified: [], removed: [] })
  expect(await pushedCommits(gitDir, { to: 'HEAD', known: ['--all'], most: 20 })).toEqual({
    commits: [],
    total: 0,
  })
})
