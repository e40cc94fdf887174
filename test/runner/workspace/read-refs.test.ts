import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { runGit } from '../../../src/git/run-git.js'
import { readRefs } from '../../../src/runner/workspace/read-refs.js'
import { tempDir } from '../../support/temp-dir.js'

const AUTHOR = { 'user.name': 'Test', 'user.email': 'test@example.com' }

async function repository() {
  const gitDir = join(await tempDir(), 'repository')
  await runGit(['init', '--quiet', '--bare', '--initial-branch=main', '--', gitDir])
  const git = async (...args: string[]) =>
    (await runGit([`--git-dir=${gitDir}`, ...args], { settings: AUTHOR, input: '' })).trim()
  const tree = await git('mktree')
  const commit = () => git('commit-tree', '-m', String(Math.random()), tree)
  const asked = async () => (await git('for-each-ref', '--format=%(objectname) %(refname)')).split('\n')
  const read = async () => (await readRefs(gitDir))?.map(({ sha, name }) => `${sha} ${name}`)
  return { gitDir, git, commit, asked, read }
}

test('refs are read as git lists them: packed, loose, deleted and annotated', async () => {
  const { git, commit, asked, read } = await repository()
  for (const name of ['heads/main', 'heads/old', 'pipelines/7', 'remotes/origin/a/b'])
    await git('update-ref', `refs/${name}`, await commit())
  await git('tag', '-a', '-m', 'one', 'v1', 'refs/heads/main')
  expect(await read()).toEqual(await asked())
  await git('pack-refs', '--all')
  await git('update-ref', 'refs/heads/main', await commit())
  await git('update-ref', '-d', 'refs/heads/old')
  await git('update-ref', 'refs/pipelines/12', await commit())
  const refs = await read()
  expect(refs).toEqual(await asked())
  expect(refs).toHaveLength(5)
})

test('a ref that is not an object ID is left to git', async () => {
  const { git, gitDir, commit, read } = await repository()
  await git('update-ref', 'refs/heads/main', await commit())
  await git('symbolic-ref', 'refs/remotes/origin/HEAD', 'refs/heads/main')
  expect(await read()).toBeUndefined()
  await git('symbolic-ref', '-d', 'refs/remotes/origin/HEAD')
  await writeFile(join(gitDir, 'refs/heads/main.lock'), '')
  expect(await read()).toBeUndefined()
})
