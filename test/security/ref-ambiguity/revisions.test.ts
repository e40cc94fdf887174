import { join } from 'node:path'

import { beforeAll, expect, onTestFinished, test } from 'vitest'

import { sourcesOfUser } from '../../../src/coordinator/ci/engine/create/config-sources.js'
import type { ProjectRow, UserRow } from '../../../src/coordinator/database/tables/pipeline-rows.js'
import { cloneInto } from '../../../src/coordinator/hosting/projects/import/clone.js'
import { GitSemaphore } from '../../../src/coordinator/hosting/repositories/git-semaphore.js'
import { Repositories } from '../../../src/coordinator/hosting/repositories/repositories.js'
import { NOTHING_OUTSIDE } from '../../coordinator/ci/engine/support/nothing-outside.js'
import { gitOk } from '../../support/git-client.js'
import { makeTempDir, tempDir } from '../../support/temp-dir.js'

const PROJECT = 1

let repositories: Repositories
let git: (...args: string[]) => Promise<string>
/** `trusted` is on the branch `main`, `forged` is a commit with misleading ref names. */
let trusted: string
let forged: string

beforeAll(async () => {
  const folder = await makeTempDir()
  repositories = new Repositories(join(folder.path, 'repositories'), new GitSemaphore())
  await repositories.create(PROJECT)
  git = (...args) => gitOk(repositories.path(PROJECT), ...args)
  const tree = await git('mktree', '--missing')
  trusted = await git('commit-tree', tree, '-m', 'trusted')
  forged = await git('commit-tree', tree, '-p', trusted, '-m', 'forged')
  await git('update-ref', 'refs/heads/main', trusted)
  return async () => {
    await repositories.close()
    await folder.remove()
  }
})

/** Refs that git allows and that last as long as the test. */
async function forge(...refs: string[]): Promise<void> {
  for (const ref of refs) await git('update-ref', ref, forged)
  onTestFinished(async () => {
    for (const ref of refs) await git('update-ref', '-d', ref)
  })
}

test('the short name of a branch means the branch, whatever tags exist', async () => {
  await forge('refs/tags/main', 'refs/main', 'refs/remotes/main')
  for (const revision of ['main', 'refs/heads/main']) {
    expect(await repositories.resolveCommit(PROJECT, revision)).toBe(trusted)
    expect(await repositories.resolveRef(PROJECT, revision)).toEqual({
      ref: 'main',
      type: 'branch',
      sha: trusted,
    })
  }
  expect(await repositories.resolveRef(PROJECT, 'refs/tags/main')).toEqual({
    ref: 'main',
    type: 'tag',
    sha: forged,
  })
})

test('HEAD means the default branch, not a branch or tag of that name', async () => {
  await forge('refs/heads/HEAD', 'refs/tags/HEAD')
  expect(await repositories.resolveCommit(PROJECT, 'HEAD')).toBe(trusted)
})

test('a whole commit id means the commit, not a branch or tag of that name', async () => {
  await forge(`refs/heads/${trusted}`, `refs/tags/${trusted}`)
  expect(await repositories.resolveCommit(PROJECT, trusted)).toBe(trusted)
})

test('the start of a commit id does not lead to another commit by a ref outside branches and tags', async () => {
  const start = trusted.slice(0, 10)
  expect(await repositories.resolveCommit(PROJECT, start)).toBe(trusted)
  await forge(`refs/${start}`, `refs/remotes/${start}`)
  expect(await repositories.resolveCommit(PROJECT, start)).not.toBe(forged)
})

test.each(['heads/main', 'tags/main', 'remotes/main', 'origin/main', 'main@{0}', ':/forged'])(
  'git does not interpret the revision %s of a request',
  async (revision) => {
    await forge('refs/tags/main', 'refs/remotes/main', 'refs/remotes/origin/main')
    expect(await repositories.resolveCommit(PROJECT, revision)).toBeUndefined()
  },
)

test('a branch does not replace the version of a component, nor a tag the default branch', async () => {
  await git('update-ref', 'refs/tags/1.0.0', trusted)
  await forge('refs/heads/1.0.0', 'refs/tags/main', 'refs/heads/only-a-branch')
  const project = { id: PROJECT, full_path: 'lib/lib', default_branch: 'main' } as ProjectRow
  const outside = { ...NOTHING_OUTSIDE, readableProject: () => Promise.resolve(project) }
  const { findComponentVersion } = sourcesOfUser({ repositories, outside }, {} as UserRow, undefined)
  for (const version of ['1.0.0', '1.0', '~latest', 'main', 'refs/heads/main']) {
    expect(await findComponentVersion('lib/lib', version), version).toEqual({
      projectPath: 'lib/lib',
      sha: trusted,
    })
  }
  expect(await findComponentVersion('lib/lib', 'only-a-branch')).toEqual({
    projectPath: 'lib/lib',
    sha: forged,
  })
})

test('a repository with a tag that git takes for a branch is not imported', async () => {
  await forge('refs/tags/refs/heads/release')
  const target = join(await tempDir(), 'copy.git')
  const source = { from: repositories.path(PROJECT), settings: { 'protocol.file.allow': 'always' } }
  await expect(cloneInto(target, source, new AbortController().signal)).rejects.toThrow(
    'The name of a branch or tag must not begin with refs/: rename refs/tags/refs/heads/release in the source',
  )
})

test('steps lead from a revision to its ancestors, and to nothing else', async () => {
  const tree = await git('mktree', '--missing')
  const merge = await git('commit-tree', tree, '-p', forged, '-p', trusted, '-m', 'merge')
  await git('update-ref', 'refs/heads/steps', merge)
  await git('tag', '-a', '-m', 'x', 'annotated', merge)
  onTestFinished(async () => {
    await git('update-ref', '-d', 'refs/heads/steps')
    await git('update-ref', '-d', 'refs/tags/annotated')
  })
  const names = ['steps', 'refs/heads/steps', 'annotated', merge, merge.slice(0, 10)]
  const steps = ['~', '~1', '~2', '^', '^1', '^2', '^^', '~1~1', '^2~0', '^0', '^{}', '^{commit}', '~1^{}']
  for (const revision of names.flatMap((name) => steps.map((step) => name + step))) {
    const expected = await git('rev-parse', `${revision}^{commit}`)
    expect(await repositories.resolveCommit(PROJECT, revision), revision).toBe(expected)
  }
  for (const base of ['HEAD', '@'])
    expect(await repositories.resolveCommit(PROJECT, `${base}^0`)).toBe(trusted)
  for (const revision of [
    ...[
      'steps~3',
      'steps^3',
      'nothing~1',
      '~1',
      '^{}',
      '^steps',
      'steps^{tree}',
      'steps^{/x}',
      'steps^@',
      'steps^!',
    ],
    ...[
      'steps@{0}',
      'steps@{1}~1',
      'steps@{upstream}',
      ':/merge',
      'steps:file',
      '--all~1',
      '-h^',
      'steps~1x',
      'steps~-1',
    ],
    ...[
      'steps^-',
      `steps${'^'.repeat(10_000)}`,
      'steps~99999999999',
      `steps${'~9999'.repeat(3)}`,
      'steps~1\n',
      'steps ~1',
    ],
  ]) {
    expect(await repositories.resolveCommit(PROJECT, revision), revision).toBeUndefined()
  }
})
