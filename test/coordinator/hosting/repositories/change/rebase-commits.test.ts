import { join } from 'node:path'

import { expect, test } from 'vitest'

import { MergeConflictError } from '../../../../../src/coordinator/hosting/repositories/change/errors.js'
import { rebaseCommits } from '../../../../../src/coordinator/hosting/repositories/change/rebase-commits.js'
import { commit, gitOk, workTree } from '../../../../support/git-client.js'
import { testAtNight } from '../../../../support/nightly.js'

const signal = new AbortController().signal
const BEA = { name: 'Bea', email: 'bea@example.com' }

/** A work tree on the branch `topic`, created from the first commit of `main`. */
async function onTopic(): Promise<string> {
  const tree = await workTree({ a: 'a\n' })
  await gitOk(tree, 'switch', '--quiet', '--create', 'topic')
  return tree
}

/** Commits to `main`; the work tree is on `topic` before and after. */
async function commitToMain(tree: string, files: Record<string, string>): Promise<string> {
  await gitOk(tree, 'switch', '--quiet', 'main')
  const sha = await commit(tree, files)
  await gitOk(tree, 'switch', '--quiet', 'topic')
  return sha
}

function rebase(tree: string, source: string, onto: string): Promise<string> {
  return rebaseCommits(join(tree, '.git'), { source, onto, committer: BEA }, signal)
}

function log(tree: string, range: string, format: string): Promise<string> {
  return gitOk(tree, 'log', '--reverse', `--format=${format}`, range)
}

test('commits are applied in order with their authors, dates and messages, and a new committer', async () => {
  const tree = await onTopic()
  await commit(tree, { b: 'b' })
  const date = '2024-05-01T10:00:00+02:00'
  await gitOk(tree, 'commit', '--quiet', '--amend', `--date=${date}`, '-m', 'Subject\n\nTwo\nlines')
  const source = await commit(tree, { c: 'c' })
  const onto = await commitToMain(tree, { main: 'm' })
  const head = await rebase(tree, source, onto)
  expect(await log(tree, `${onto}..${head}`, '%an|%cn|%s')).toBe('Ada|Bea|Subject\nAda|Bea|c')
  expect(await gitOk(tree, 'log', '-1', '--format=%aI|%b', `${head}~1`)).toBe(`${date}|Two\nlines`)
  expect(await gitOk(tree, 'rev-parse', `${head}~2`)).toBe(onto)
  expect(await gitOk(tree, 'ls-tree', '--name-only', head)).toBe('a\nb\nc\nmain')
})

test('a branch that contains the target stays as it is', async () => {
  const tree = await onTopic()
  const source = await commit(tree, { b: 'b' })
  expect(await rebase(tree, source, await gitOk(tree, 'rev-parse', 'main'))).toBe(source)
})

testAtNight('merge commits, and changes that the target has already, are left out', async () => {
  const tree = await onTopic()
  await commit(tree, { b: 'b' })
  await commitToMain(tree, { main: 'm' })
  await gitOk(tree, 'merge', '--quiet', '--no-ff', '-m', 'merge main', 'main')
  const source = await commit(tree, { c: 'c' })
  const onto = await commitToMain(tree, { b: 'b' })
  const head = await rebase(tree, source, onto)
  expect(await log(tree, `${onto}..${head}`, '%s')).toBe('c')
})

testAtNight('a commit that was empty from the start is kept', async () => {
  const tree = await onTopic()
  const source = await commit(tree, {})
  const onto = await commitToMain(tree, { main: 'm' })
  expect(await log(tree, `${onto}..${await rebase(tree, source, onto)}`, '%s')).toBe('empty')
})

testAtNight('a renamed file receives the changes of the target', async () => {
  const tree = await workTree({ old: 'one\ntwo\nthree\nfour\nfive\n' })
  await gitOk(tree, 'switch', '--quiet', '--create', 'topic')
  await gitOk(tree, 'mv', 'old', 'new')
  const source = await commit(tree, { other: 'o' })
  const onto = await commitToMain(tree, { old: 'one\ntwo\nthree\nfour\nFIVE\n' })
  const head = await rebase(tree, source, onto)
  expect(await gitOk(tree, 'show', `${head}:new`)).toBe('one\ntwo\nthree\nfour\nFIVE')
})

testAtNight('a commit that changes the same line as the target conflicts', async () => {
  const tree = await onTopic()
  await commit(tree, { b: 'b' })
  const source = await commit(tree, { a: 'topic\n' })
  const onto = await commitToMain(tree, { a: 'main\n' })
  await expect(rebase(tree, source, onto)).rejects.toThrow(new MergeConflictError('conflict'))
})

testAtNight('commits without common history conflict', async () => {
  const tree = await onTopic()
  const onto = await commitToMain(tree, { main: 'm' })
  await gitOk(tree, 'switch', '--quiet', '--orphan', 'other')
  const source = await commit(tree, { other: 'o' })
  await expect(rebase(tree, source, onto)).rejects.toThrow(new MergeConflictError('conflict'))
})
