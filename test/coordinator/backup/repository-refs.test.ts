import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import {
  logUpTo,
  packedRefs,
  packedText,
  readAllRefs,
} from '../../../src/coordinator/backup/repository-refs.js'
import { gitOk } from '../../support/git-client.js'
import { tempDir } from '../../support/temp-dir.js'

const ONE = '1'.repeat(40)
const TWO = '2'.repeat(40)

test('packed refs are read without what tags point to, and written in the order of git', () => {
  const text = `# pack-refs with: peeled fully-peeled sorted \n${TWO} refs/tags/v1\n^${ONE}\n${ONE} refs/heads/a-b\n`
  const refs = packedRefs(text)
  expect([...refs]).toEqual([
    ['refs/tags/v1', TWO],
    ['refs/heads/a-b', ONE],
  ])
  expect(packedText(new Map([...refs, ['refs/heads/a/b', TWO]]))).toBe(
    `# pack-refs with: sorted \n${ONE} refs/heads/a-b\n${TWO} refs/heads/a/b\n${TWO} refs/tags/v1\n`,
  )
})

test.each([
  { name: 'ends with the move to the ref', log: [ONE, TWO], id: TWO, moves: [ONE, TWO] },
  { name: 'loses a move that git has written before the ref', log: [ONE, TWO], id: ONE, moves: [ONE] },
  { name: 'is left out if no move leads to the ref', log: [ONE], id: TWO, moves: undefined },
])('a reflog $name', ({ log, id, moves }) => {
  const textOf = (ids: string[]) =>
    ids.map((each) => `${'0'.repeat(40)} ${each} push-1 <a@b.c> 1 +0000\n`).join('')
  expect(logUpTo(textOf(log), id)).toBe(moves && textOf(moves))
})

test('refs are those of git, loose and packed; those that did not change are not read again', async () => {
  const dataDir = await tempDir()
  const path = 'repositories/ab/1.git'
  const gitDir = join(dataDir, path)
  await mkdir(gitDir, { recursive: true })
  await gitOk(gitDir, 'init', '--quiet', '--bare', '--initial-branch=main')
  await writeFile(join(dataDir, 'tree'), '')
  const tree = await gitOk(gitDir, 'mktree', '--missing', '--batch').then(() => gitOk(gitDir, 'write-tree'))
  const commit = await gitOk(gitDir, 'commit-tree', '-m', 'one', tree)
  const refsOf = (all: ReturnType<typeof readAllRefs>) => [...(all.get(path)?.refs ?? [])]
  await gitOk(gitDir, 'update-ref', 'refs/heads/main', commit)
  await gitOk(gitDir, 'pack-refs', '--all')
  await gitOk(gitDir, 'update-ref', 'refs/heads/feature/a', commit)
  const before = readAllRefs(dataDir)
  expect(refsOf(before)).toEqual([
    ['refs/heads/main', commit],
    ['refs/heads/feature/a', commit],
  ])

  const later = Date.now() + 10_000
  const same = readAllRefs(dataDir, before, later)
  expect(same.get(path)).toBe(before.get(path))
  await gitOk(gitDir, 'update-ref', 'refs/heads/feature/b', commit)
  expect(refsOf(readAllRefs(dataDir, before, later))).toContainEqual(['refs/heads/feature/b', commit])
  // The time of a change may be too coarse to show it.
  expect(readAllRefs(dataDir, same, Date.now()).get(path)).not.toBe(same.get(path))
})
