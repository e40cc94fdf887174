import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import { execa } from 'execa'
import { beforeEach, expect, test } from 'vitest'

import {
  lastCommitsOfGlobs,
  objectIds,
} from '../../../../src/coordinator/hosting/repositories/matching-files.js'
import { testAtNight } from '../../../support/nightly.js'
import { tempDir } from '../../../support/temp-dir.js'

let directory: string

async function git(...args: string[]): Promise<string> {
  const names = {
    GIT_AUTHOR_NAME: 'T',
    GIT_AUTHOR_EMAIL: 't@x',
    GIT_COMMITTER_NAME: 'T',
    GIT_COMMITTER_EMAIL: 't@x',
  }
  return (await execa('git', args, { cwd: directory, env: { GIT_CONFIG_GLOBAL: '/dev/null', ...names } }))
    .stdout
}

async function commit(files: Record<string, string>): Promise<string> {
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(directory, name)), { recursive: true })
    await writeFile(join(directory, name), content)
  }
  await git('add', '--all')
  await git('commit', '--quiet', '--message', 'x')
  return git('rev-parse', 'HEAD')
}

beforeEach(async () => {
  directory = await tempDir()
  await git('init', '--quiet', '--initial-branch', 'main')
})

test('the files of a commit are found by name, by glob and by folder', async () => {
  const first = await commit({ 'package.json': '1', 'a/go.sum': '2', 'a/b/go.sum': '3', 'a b.txt': '4' })
  const id = (name: string) => git('rev-parse', `${first}:${name}`)
  await commit({ 'package.json': 'changed' })
  const found = (...globs: string[]) => objectIds(join(directory, '.git'), first, globs)
  expect(await found('package.json')).toEqual([await id('package.json')])
  expect(await found('**/go.sum')).toEqual([await id('a/b/go.sum'), await id('a/go.sum')])
  expect(await found('a')).toEqual([await id('a/b/go.sum'), await id('a/go.sum')])
  expect(await found('a b.txt', 'none')).toEqual([await id('a b.txt')])
  expect(await found('none')).toEqual([])
})

testAtNight('the commits that touched files last are found', async () => {
  const first = await commit({ one: '1', 'two/x': '1' })
  const second = await commit({ one: '2' })
  const found = (sha: string, ...globs: string[]) => lastCommitsOfGlobs(join(directory, '.git'), sha, globs)
  expect(await found(second, 'one', 'two/*', 'none')).toEqual([second, first])
  expect(await found(first, 'one')).toEqual([first])
})
