import { describe, expect, onTestFinished, test } from 'vitest'

import { Repositories } from '../../../../src/coordinator/hosting/repositories/repositories.js'
import { runGit } from '../../../../src/git/run-git.js'
import { testAtNight } from '../../../support/nightly.js'
import { tempDir } from '../../../support/temp-dir.js'

const identity = {
  GIT_AUTHOR_NAME: 'Ada',
  GIT_AUTHOR_EMAIL: 'ada@example.com',
  GIT_COMMITTER_NAME: 'Ada',
  GIT_COMMITTER_EMAIL: 'ada@example.com',
}

async function newHistory() {
  const repositories = new Repositories(await tempDir())
  onTestFinished(() => repositories.close())
  await repositories.create(1)
  const git = async (args: string[], input = ''): Promise<string> =>
    (await runGit(['--git-dir', repositories.path(1), ...args], { input, environment: identity })).trim()
  /** A commit that holds these files and nothing else. */
  const commit = async (files: Record<string, string>, ...parents: string[]): Promise<string> => {
    await git(['read-tree', '--empty'])
    for (const [path, text] of Object.entries(files)) {
      const blob = await git(['hash-object', '-w', '--stdin'], text)
      await git(['update-index', '--add', '--cacheinfo', `100644,${blob},${path}`])
    }
    const tree = await git(['write-tree'])
    return git(['commit-tree', tree, '-m', 'A commit', ...parents.flatMap((parent) => ['-p', parent])])
  }
  return { repositories, git, commit }
}

test('files of a commit are listed by path, whatever is in their names', async () => {
  const { repositories, commit } = await newHistory()
  const sha = await commit({ 'b/ü "x".txt': '1', 'a.txt': '2', 'b/.hidden': '3' })
  expect(await repositories.listFiles(1, sha)).toEqual(['a.txt', 'b/.hidden', 'b/ü "x".txt'])
})

describe('changed files', () => {
  testAtNight('are those added, changed and deleted, and both names of those renamed', async () => {
    const { repositories, commit } = await newHistory()
    const content = 'a line\n'.repeat(50)
    const before = await commit({ same: '1', changed: '1', deleted: '1', 'old/name': content })
    const after = await commit({ same: '1', changed: '2', added: '1', 'new/name': content }, before)
    const changed = await repositories.changedFiles(1, before, after)
    expect(changed).toEqual(['added', 'changed', 'deleted', 'new/name', 'old/name'])
  })

  test('are unknown when the first commit is not there', async () => {
    const { repositories, commit } = await newHistory()
    expect(await repositories.changedFiles(1, 'f'.repeat(40), await commit({ a: '1' }))).toBeUndefined()
  })
})

testAtNight('two histories have a merge base, or none', async () => {
  const { repositories, commit } = await newHistory()
  const base = await commit({ a: '1' })
  const [one, other] = [await commit({ a: '2' }, base), await commit({ a: '3' }, base)]
  expect(await repositories.mergeBase(1, one, other)).toBe(base)
  expect(await repositories.mergeBase(1, one, await commit({ b: '1' }))).toBeUndefined()
})

test('a revision is a commit id, a branch, a tag, either in full, or HEAD, and nothing that git would work out', async () => {
  const { repositories, git, commit } = await newHistory()
  const [first, second] = [await commit({ a: '1' }), await commit({ a: '2' })]
  await git(['update-ref', 'refs/heads/main', first])
  await git(['tag', '-a', '-m', 'x', 'v1', second])
  expect(await repositories.resolveCommit(1, 'main')).toBe(first)
  expect(await repositories.resolveCommit(1, 'v1')).toBe(second)
  expect(await repositories.resolveCommit(1, 'HEAD')).toBe(first)
  expect(await repositories.resolveCommit(1, second.slice(0, 9))).toBe(second)
  expect(await repositories.resolveCommit(1, 'refs/heads/main')).toBe(first)
  expect(await repositories.resolveCommit(1, 'refs/tags/v1')).toBe(second)
  const tooLong = 'x'.repeat(5000)
  for (const revision of ['main~1', 'main@{0}', ':/A', '--all', '', 'heads/main', 'f'.repeat(40), tooLong]) {
    expect(await repositories.resolveCommit(1, revision)).toBeUndefined()
  }
})
