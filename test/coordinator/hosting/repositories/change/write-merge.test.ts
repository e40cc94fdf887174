import { join } from 'node:path'

import { expect, test } from 'vitest'

import {
  MergeConflictError,
  NotFastForwardError,
} from '../../../../../src/coordinator/hosting/repositories/change/errors.js'
import {
  type NewMerge,
  writeMerge,
} from '../../../../../src/coordinator/hosting/repositories/change/write-merge.js'
import { commit, gitOk, workTree } from '../../../../support/git-client.js'
import { testAtNight } from '../../../../support/nightly.js'

const signal = new AbortController().signal
const BEA = { name: 'Bea', email: 'bea@example.com' }

/** `main` and `topic` with one commit each after their common one. */
async function diverged(onMain: Record<string, string>, onTopic: Record<string, string>) {
  const tree = await workTree({ a: 'a\n' })
  await gitOk(tree, 'switch', '--quiet', '--create', 'topic')
  await commit(tree, onTopic)
  const source = await commit(tree, { 'topic-2': '2' })
  await gitOk(tree, 'switch', '--quiet', 'main')
  const target = Object.keys(onMain).length > 0 ? await commit(tree, onMain) : await headOf(tree)
  return { tree, target, source }
}

function headOf(tree: string): Promise<string> {
  return gitOk(tree, 'rev-parse', 'HEAD')
}

function merge(tree: string, values: Pick<NewMerge, 'target' | 'source'> & Partial<NewMerge>) {
  const merged: NewMerge = { method: 'merge', message: 'Merge topic\n\nbody', committer: BEA, ...values }
  return writeMerge(join(tree, '.git'), merged, signal)
}

function show(tree: string, sha: string, format: string): Promise<string> {
  return gitOk(tree, 'log', '-1', `--format=${format}`, sha)
}

function filesOf(tree: string, sha: string): Promise<string> {
  return gitOk(tree, 'ls-tree', '--name-only', sha)
}

test('a merge commit has both heads as parents, the files of both and the merging user as author', async () => {
  const { tree, target, source } = await diverged({ main: 'm' }, { topic: 't' })
  const { head, mergeCommit, squashCommit } = await merge(tree, { target, source })
  expect(head).toBe(mergeCommit)
  expect(squashCommit).toBeUndefined()
  expect(await show(tree, head, '%P|%an|%ce|%s|%b')).toBe(
    `${target} ${source}|Bea|bea@example.com|Merge topic|body`,
  )
  expect(await filesOf(tree, head)).toBe('a\nmain\ntopic\ntopic-2')
})

test('the merge method "merge" writes a merge commit even if a fast-forward is possible', async () => {
  const { tree, target, source } = await diverged({}, { topic: 't' })
  const { head } = await merge(tree, { target, source })
  expect(await show(tree, head, '%P')).toBe(`${target} ${source}`)
})

testAtNight('the method "rebase_merge" requires the source to contain the target', async () => {
  const forward = await diverged({}, { topic: 't' })
  const { head } = await merge(forward.tree, { ...forward, method: 'rebase_merge' })
  expect(await show(forward.tree, head, '%P')).toBe(`${forward.target} ${forward.source}`)
  const behind = await diverged({ main: 'm' }, { topic: 't' })
  await expect(merge(behind.tree, { ...behind, method: 'rebase_merge' })).rejects.toThrow(NotFastForwardError)
})

test('the method "ff" moves the target to the source, and writes no commit', async () => {
  const forward = await diverged({}, { topic: 't' })
  expect(await merge(forward.tree, { ...forward, method: 'ff' })).toEqual({
    head: forward.source,
    mergeCommit: undefined,
    squashCommit: undefined,
  })
  const behind = await diverged({ main: 'm' }, { topic: 't' })
  await expect(merge(behind.tree, { ...behind, method: 'ff' })).rejects.toThrow(NotFastForwardError)
})

test('squash makes one commit of its author on the target, which the merge commit merges', async () => {
  const { tree, target, source } = await diverged({ main: 'm' }, { topic: 't' })
  const squash = { message: 'All of it', author: { name: 'Cy', email: 'cy@example.com' } }
  const { mergeCommit, squashCommit } = await merge(tree, { target, source, squash })
  expect(await show(tree, String(squashCommit), '%P|%an|%cn|%s')).toBe(`${target}|Cy|Bea|All of it`)
  expect(await show(tree, String(mergeCommit), '%P')).toBe(`${target} ${squashCommit}`)
  expect(await filesOf(tree, String(squashCommit))).toBe('a\nmain\ntopic\ntopic-2')
})

test('squash with the method "ff" leads to one commit without a merge', async () => {
  const { tree, target, source } = await diverged({}, { topic: 't' })
  const squash = { message: 'All of it', author: BEA }
  const merged = await merge(tree, { target, source, method: 'ff', squash })
  expect(merged).toEqual({ head: merged.squashCommit, mergeCommit: undefined, squashCommit: merged.head })
  expect(await show(tree, merged.head, '%P')).toBe(target)
})

test('changes of the same line conflict', async () => {
  const { tree, target, source } = await diverged({ a: 'main\n' }, { a: 'topic\n' })
  await expect(merge(tree, { target, source })).rejects.toThrow(new MergeConflictError('conflict'))
})

test('branches without common history conflict', async () => {
  const { tree, target } = await diverged({ main: 'm' }, { topic: 't' })
  await gitOk(tree, 'switch', '--quiet', '--orphan', 'other')
  const source = await commit(tree, { other: 'o' })
  await expect(merge(tree, { target, source })).rejects.toThrow(new MergeConflictError('conflict'))
})

test('a source that the target contains is not merged again', async () => {
  const { tree, target, source } = await diverged({ main: 'm' }, { topic: 't' })
  const { head } = await merge(tree, { target, source })
  await expect(merge(tree, { target: head, source })).rejects.toThrow(new MergeConflictError('empty'))
})
