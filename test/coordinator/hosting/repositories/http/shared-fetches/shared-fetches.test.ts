import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'

import { expect, test, vi } from 'vitest'

import type { RunningService } from '../../../../../../src/coordinator/hosting/repositories/http/git-service.js'
import { SharedFetches } from '../../../../../../src/coordinator/hosting/repositories/http/shared-fetches/shared-fetches.js'
import { deferred } from '../../../../../../src/lib/deferred.js'
import { onFinished } from '../../../../../support/lifetime.js'
import { tempDir } from '../../../../../support/temp-dir.js'

/** Git as a test wants it: it says what it is told, and ends when it is told or stopped. */
class Git {
  readonly output = new PassThrough()
  isStopped = false
  private readonly end = deferred<{ exitCode: number; stderr: string }>()

  readonly start = vi.fn(async (signal: AbortSignal): Promise<RunningService> => {
    signal.addEventListener('abort', () => {
      this.isStopped = true
      this.exit(143)
    })
    return { output: this.output, channel: undefined, ended: this.end.promise }
  })

  say(words: string): void {
    this.output.write(words)
  }

  exit(exitCode = 0): void {
    this.output.end()
    this.end.resolve({ exitCode, stderr: '' })
  }
}

/** After the first request, which is served alone. */
async function openShared(): Promise<SharedFetches> {
  const folder = await tempDir()
  let files = 0
  const openFile = async () => {
    const path = join(folder, String(files++))
    const file = await open(path, 'wx+')
    await rm(path)
    return file
  }
  const shared = new SharedFetches({ openFile })
  onFinished(() => shared.close())
  expect(await shared.of(['one'], new Git().start)).toBeUndefined()
  return shared
}

test('git runs once for equal requests that follow the first one, whenever they come', async () => {
  const [shared, git] = [await openShared(), new Git()]
  const second = await shared.of(['one'], git.start)
  git.say('all the ')
  const third = await shared.of(['one'], git.start)
  git.say('objects')
  git.exit()
  expect(await Promise.all([second, third].map((stream) => text(stream!)))).toEqual(
    Array.from({ length: 2 }, () => 'all the objects'),
  )
  expect(await text((await shared.of(['one'], git.start))!)).toBe('all the objects')
  expect(git.start).toHaveBeenCalledTimes(1)
})

test('another request gets no response of this one', async () => {
  const [shared, git] = [await openShared(), new Git()]
  await shared.of(['one'], git.start)
  expect(await shared.of(['on', 'e'], git.start)).toBeUndefined()
  expect(git.start).toHaveBeenCalledTimes(1)
})

test('a client that leaves takes nothing from the others, and the last one stops git', async () => {
  const [shared, git] = [await openShared(), new Git()]
  const [second, third] = [await shared.of(['one'], git.start), await shared.of(['one'], git.start)]
  second!.destroy()
  await vi.waitFor(() => expect(second!.closed).toBe(true))
  expect(git.isStopped).toBe(false)
  third!.destroy()
  await vi.waitFor(() => expect(git.isStopped).toBe(true))
})

test('after a failure of git, its readers get what it has said, and the next request starts it again', async () => {
  const [shared, failing, git] = [await openShared(), new Git(), new Git()]
  const second = await shared.of(['one'], failing.start)
  failing.say('ERR no space')
  failing.exit(128)
  expect(await text(second!)).toBe('ERR no space')
  const third = await shared.of(['one'], git.start)
  git.exit()
  expect(await text(third!)).toBe('')
  expect(git.start).toHaveBeenCalledTimes(1)
})

test('output that breaks off fails all of its readers, none of which takes it for whole', async () => {
  const [shared, git] = [await openShared(), new Git()]
  const readers = [await shared.of(['one'], git.start), await shared.of(['one'], git.start)]
  const read = Promise.allSettled(readers.map((stream) => text(stream!)))
  git.say('half')
  git.output.destroy(new Error('the launcher was killed'))
  git.exit(143)
  expect(await read).toMatchObject(Array.from({ length: 2 }, () => ({ status: 'rejected' })))
})

test('output that breaks off although git has succeeded is served to nobody afterwards', async () => {
  const [shared, broken, git] = [await openShared(), new Git(), new Git()]
  const second = await shared.of(['one'], broken.start)
  broken.output.destroy(new Error('no space is left'))
  broken.exit()
  await expect(text(second!)).rejects.toThrow('no space')
  const third = await shared.of(['one'], git.start)
  git.say('all')
  git.exit()
  expect(await text(third!)).toBe('all')
})

test('a request that waits for git keeps no other request waiting', async () => {
  const [shared, git] = [await openShared(), new Git()]
  const waiting = shared.of(
    ['one'],
    (signal) =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('stopped')))),
  )
  expect(await shared.of(['two'], git.start)).toBeUndefined()
  const third = await shared.of(['two'], git.start)
  git.exit()
  expect(await text(third!)).toBe('')
  await Promise.all([expect(waiting).rejects.toThrow('stopped'), shared.close()])
})

test('a refusal to start git reaches the client, and the next request tries again', async () => {
  const [shared, git] = [await openShared(), new Git()]
  await expect(shared.of(['one'], () => Promise.reject(new Error('busy')))).rejects.toThrow('busy')
  const next = await shared.of(['one'], git.start)
  git.exit()
  expect(await text(next!)).toBe('')
})
