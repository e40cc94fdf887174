import { expect, test } from 'vitest'

import { GitError, GitStoppedError } from '../../src/git/errors.js'
import { gitBytes, gitRecords } from '../../src/git/stream-git.js'
import { tempDir } from '../support/temp-dir.js'

async function all<T>(source: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = []
  for await (const item of source) items.push(item)
  return items
}

test('output comes in records, the last one also without its end', async () => {
  const names = Array.from(
    { length: 20_000 },
    (_name, index) => `A ${'x'.repeat(20)}${index} <a@example.com>`,
  )
  const options = { input: names.join('\n'), separator: '\n' as const }
  const found = await all(gitRecords(['-C', await tempDir(), 'stripspace'], options))
  expect(found).toEqual(names)
})

test('a failing git gives an error after its output', async () => {
  await expect(all(gitBytes(['--git-dir', await tempDir(), 'rev-parse', 'HEAD']))).rejects.toThrow(GitError)
})

test('git ends with the signal, and is not started when that is over', async () => {
  const stop = new AbortController()
  const endless = gitBytes(['-c', 'alias.endless=!exec yes', 'endless'], { signal: stop.signal })
  await endless.next()
  stop.abort()
  await expect(all(endless)).rejects.toThrow(GitStoppedError)
  await expect(all(gitBytes(['version'], { signal: stop.signal }))).rejects.toThrow(GitStoppedError)
})

test('git ends when the reader of its output closes', async () => {
  for await (const chunk of gitBytes(['-c', 'alias.endless=!exec yes', 'endless'])) {
    expect(chunk.length).toBeGreaterThan(0)
    break
  }
})
