import { expect, test } from 'vitest'

import { GitError, GitStoppedError } from '../../src/git/errors.js'
import { runGit } from '../../src/git/run-git.js'
import { gitBytes, gitRecords } from '../../src/git/stream-git.js'
import { tempDir } from '../support/temp-dir.js'

async function all<T>(source: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = []
  for await (const item of source) items.push(item)
  return items
}

test('output is split into records, the last one also without a terminator', async () => {
  const names = Array.from(
    { length: 20_000 },
    (_name, index) => `A ${'x'.repeat(20)}${index} <a@example.com>`,
  )
  const options = { input: names.join('\n'), separator: '\n' as const }
  const found = await all(gitRecords(['-C', await tempDir(), 'stripspace'], options))
  expect(found).toEqual(names)
})

test('a failing git process throws after its output', async () => {
  await expect(all(gitBytes(['--git-dir', await tempDir(), 'rev-parse', 'HEAD']))).rejects.toThrow(GitError)
})

/** The arguments of a git that prints far more than a pipe holds: it ends in error unless it is read to its end. */
async function longOutput(): Promise<string[]> {
  const repository = await tempDir()
  await runGit(['init', '--quiet', '--bare', repository])
  const input = Buffer.alloc(32 * 1024 * 1024)
  const id = await runGit(['--git-dir', repository, 'hash-object', '-w', '--stdin'], { input })
  return ['--git-dir', repository, 'cat-file', 'blob', id.trim()]
}

test('git stops when the signal aborts, and does not start after it', async () => {
  const stop = new AbortController()
  const output = gitBytes(await longOutput(), { signal: stop.signal })
  await output.next()
  stop.abort()
  await expect(all(output)).rejects.toThrow(GitStoppedError)
  await expect(all(gitBytes(['version'], { signal: stop.signal }))).rejects.toThrow(GitStoppedError)
})

test('git stops when the reader of its output closes', async () => {
  for await (const chunk of gitBytes(await longOutput())) {
    expect(chunk.length).toBeGreaterThan(0)
    break
  }
})
