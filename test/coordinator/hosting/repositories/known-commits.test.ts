import { expect, test } from 'vitest'

import { KnownCommits } from '../../../../src/coordinator/hosting/repositories/known-commits.js'
import type { Commit } from '../../../../src/git/parse-commit.js'

const DATE = '2026-01-01T00:00:00.000Z'

function commit(id: string, message = 'change'): Commit {
  return {
    id,
    parentIds: [],
    title: message,
    message,
    authorName: 'Ada',
    authorEmail: 'ada@example.com',
    authoredDate: DATE,
    committerName: 'Ada',
    committerEmail: 'ada@example.com',
    committedDate: DATE,
  }
}

test('a commit is known in the repository that it was read from, until that is deleted', () => {
  const commits = new KnownCommits()
  const [one, other] = [commit('a'), commit('b')]
  commits.add('/data/1.git', one)
  commits.add('/data/1.git', other)
  commits.add('/data/10.git', one)
  expect(commits.get('/data/1.git', 'a')).toBe(one)
  expect(commits.get('/data/2.git', 'a')).toBeUndefined()
  commits.forget('/data/1.git')
  expect([commits.get('/data/1.git', 'a'), commits.get('/data/1.git', 'b')]).toEqual([undefined, undefined])
  expect(commits.get('/data/10.git', 'a')).toBe(one)
})

test('long messages take the place of others', () => {
  const commits = new KnownCommits()
  commits.add('/data/1.git', commit('a'))
  for (const id of ['b', 'c']) commits.add('/data/1.git', commit(id, 'x'.repeat(3 * 1024 * 1024)))
  commits.add('/data/1.git', commit('d', 'x'.repeat(5 * 1024 * 1024)))
  expect(['a', 'b', 'c', 'd'].filter((id) => commits.get('/data/1.git', id) !== undefined)).toEqual(['c'])
})
