import { join } from 'node:path'

import { expect, test } from 'vitest'

import { GitError } from '../../src/git/errors.js'
import { runGit, runGitSequence } from '../../src/git/run-git.js'
import { tempDir } from '../support/temp-dir.js'

async function repository(): Promise<string> {
  const folder = join(await tempDir(), "it's $HOME")
  await runGit(['init', '--quiet', '--bare', '--', folder])
  return `--git-dir=${folder}`
}

test('a sequence of commands prints in order, with unchanged arguments', async () => {
  const place = await repository()
  const write = ['hash-object', '-w', '--stdin']
  const printed = await runGitSequence(
    [
      [place, ...write],
      [place, 'config', 'x.y', '$(id) "\'`'],
      [place, 'config', 'x.y'],
    ],
    { input: 'one\n' },
  )
  expect(printed).toBe('5626abf0f72e58d7a153368ba57db4c673c0e171\n$(id) "\'`\n')
})

test('a failing command ends the sequence, and its message is the error', async () => {
  const place = await repository()
  const failing = runGitSequence([
    [place, 'cat-file', '-e', 'missing'],
    [place, 'config', 'x.y', 'z'],
  ])
  await expect(failing).rejects.toThrow(GitError)
  await expect(failing).rejects.toThrow(/Not a valid object name missing/)
  await expect(runGit([place, 'config', 'x.y'])).rejects.toThrow(GitError)
})
