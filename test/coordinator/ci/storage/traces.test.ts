import { once } from 'node:events'
import fs from 'node:fs'
import { readdir, readlink, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage } from 'node:http'
import { syncBuiltinESMExports } from 'node:module'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { setImmediate } from 'node:timers/promises'
import { crc32 } from 'node:zlib'

import { expect, onTestFinished, test, vi } from 'vitest'

import { Traces } from '../../../../src/coordinator/ci/storage/traces.js'
import { deferred } from '../../../../src/lib/deferred.js'
import { SameLengthMasker } from '../../../../src/masking/same-length-masker.js'
import { tempDir } from '../../../support/temp-dir.js'

const NO_SECRETS = new SameLengthMasker([])
const job = { id: 7, project_id: 3 }

async function openTraces(maxBytes = 1000): Promise<Traces> {
  return new Traces(await tempDir(), maxBytes)
}

test('a trace that does not exist is empty', async () => {
  const traces = await openTraces()
  expect(await traces.size(job)).toBe(0)
  expect(await text(await traces.read(job))).toBe('')
})

test('bytes are added at the end only', async () => {
  const traces = await openTraces()
  expect(await traces.append(job, 0, Readable.from(['hello']), NO_SECRETS)).toEqual({
    kind: 'appended',
    size: 5,
  })
  expect(await traces.append(job, 0, Readable.from(['HELLO']), NO_SECRETS)).toEqual({
    kind: 'conflict',
    size: 5,
  })
  expect(await traces.append(job, 6, Readable.from(['!']), NO_SECRETS)).toEqual({ kind: 'conflict', size: 5 })
  expect(await traces.append(job, 5, Readable.from(['!']), NO_SECRETS)).toEqual({ kind: 'appended', size: 6 })
  expect(await text(await traces.read(job))).toBe('hello!')
  expect(await text(await traces.read(job, { start: 3, end: 4 }))).toBe('lo')
})

test('of two patches at the same offset one is stored', async () => {
  const traces = await openTraces()
  const results = await Promise.all([
    traces.append(job, 0, Readable.from(['a', 'b']), NO_SECRETS),
    traces.append(job, 0, Readable.from(['c', 'd']), NO_SECRETS),
  ])
  expect(results.map(({ kind }) => kind)).toEqual(['appended', 'conflict'])
  expect(await text(await traces.read(job))).toBe('ab')
})

test('a request is stored whether it has arrived or still arrives, and is not if it is too large', async () => {
  const traces = await openTraces(12)
  const began = deferred()
  const receive = async (request: IncomingMessage) => {
    // As in the coordinator: what has arrived was read.
    await setImmediate()
    const isWhole = request.complete
    const appended = traces.append(job, Number(request.url?.slice(1)), request, NO_SECRETS)
    began.resolve()
    return { isWhole, ...(await appended) }
  }
  const server = createServer((request, response) => {
    void receive(request).then((result) => response.end(JSON.stringify(result)))
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const send = (offset: number, body: ReadableStream | string) =>
    fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/${offset}`, {
      method: 'PATCH',
      body,
      duplex: 'half',
    }).then((reply) => reply.json())
  const inPieces = ReadableStream.from(
    (async function* () {
      yield Buffer.from('hel')
      await began.promise
      yield Buffer.from('lo')
    })(),
  )
  expect(await send(0, inPieces)).toEqual({ isWhole: false, kind: 'appended', size: 5 })
  expect(await send(5, ' world')).toEqual({ isWhole: true, kind: 'appended', size: 11 })
  expect(await send(11, '!!')).toEqual({ isWhole: true, kind: 'too-large', size: 11 })
  expect(await send(11, '!')).toEqual({ isWhole: true, kind: 'appended', size: 12 })
  expect(await text(await traces.read(job))).toBe('hello world!')
})

test('a patch that would pass the limit is not stored at all', async () => {
  const traces = await openTraces(8)
  await traces.append(job, 0, Readable.from(['hello']), NO_SECRETS)
  expect(await traces.append(job, 5, Readable.from(['ab', 'cd']), NO_SECRETS)).toEqual({
    kind: 'too-large',
    size: 5,
  })
  expect(await traces.append(job, 5, Readable.from(['abc']), NO_SECRETS)).toEqual({
    kind: 'appended',
    size: 8,
  })
})

test('a patch that breaks off is not stored, and the next one is', async () => {
  const traces = await openTraces()
  const broken = Readable.from(
    (function* () {
      yield 'half'
      throw new Error('gone')
    })(),
  )
  await expect(traces.append(job, 0, broken, NO_SECRETS)).rejects.toThrow('gone')
  expect(await traces.size(job)).toBe(0)
  expect(await traces.append(job, 0, Readable.from(['whole']), NO_SECRETS)).toEqual({
    kind: 'appended',
    size: 5,
  })
})

test('traces are deleted one by one, or with their project', async () => {
  const traces = await openTraces()
  const sibling = { id: 8, project_id: 3 }
  const stranger = { id: 9, project_id: 30 }
  for (const owner of [job, sibling, stranger])
    await traces.append(owner, 0, Readable.from(['x']), NO_SECRETS)
  await traces.delete(job)
  expect([await traces.size(job), await traces.size(sibling)]).toEqual([0, 1])
  await traces.deleteProject(3)
  expect([await traces.size(sibling), await traces.size(stranger)]).toEqual([0, 1])
})

test('the time at which a trace began is kept in memory until the trace is deleted', async () => {
  const folder = await tempDir()
  const [writer, reader] = [new Traces(folder, 1000), new Traces(folder, 1000)]
  expect(await writer.beginOf(job)).toBeUndefined()
  const before = Date.now()
  await writer.append(job, 0, Readable.from(['hello']), NO_SECRETS)
  const begin = await writer.beginOf(job)
  expect(begin).toBeGreaterThanOrEqual(before)
  expect(await reader.beginOf(job)).toBe(begin)
  await rm(writer.files(job).times)
  expect([await writer.beginOf(job), await reader.beginOf(job)]).toEqual([begin, begin])
  await writer.delete(job)
  expect(await writer.beginOf(job)).toBeUndefined()
})

test('a trace that another coordinator has deleted begins again', async () => {
  const root = await tempDir()
  const [traces, other] = [new Traces(root, 1000), new Traces(root, 1000)]
  await traces.append(job, 0, Readable.from(['before']), NO_SECRETS)
  await other.delete(job)
  expect(await traces.append(job, 6, Readable.from(['!']), NO_SECRETS)).toEqual({ kind: 'conflict', size: 0 })
  expect(await traces.append(job, 0, Readable.from(['after']), NO_SECRETS)).toEqual({
    kind: 'appended',
    size: 5,
  })
  expect(await text(await other.read(job))).toBe('after')
})

test('a patch that is cut off undoes nothing that another coordinator has taken since', async () => {
  const root = await tempDir()
  const [traces, other] = [new Traces(root, 1000), new Traces(root, 1000)]
  await traces.append(job, 0, Readable.from(['one ']), NO_SECRETS)
  const begun = deferred()
  const cut = deferred()
  async function* body() {
    yield Buffer.from('two ')
    begun.resolve()
    await cut.promise
    throw new Error('the connection is closed')
  }
  const late = traces.append(job, 4, Readable.from(body()), NO_SECRETS)
  await begun.promise
  await other.append(job, 4, Readable.from(['two three ']), NO_SECRETS).then(async ({ kind }) => {
    // The first part may have been written already; the runner then continues at the size in the response.
    if (kind === 'conflict') await other.append(job, 8, Readable.from(['three ']), NO_SECRETS)
  })
  cut.resolve()
  await expect(late).rejects.toThrow('the connection is closed')
  expect(await text(await other.read(job))).toBe('one two three ')
  expect(await traces.append(job, 14, Readable.from(['four']), NO_SECRETS)).toMatchObject({ size: 18 })
  expect(await text(await other.read(job))).toBe('one two three four')
})

test.each([true, false])(
  'a patch is with the file server before it is acknowledged, if other machines mount it: %s',
  async (isShared) => {
    const flush = vi.spyOn(fs, 'fdatasync')
    syncBuiltinESMExports()
    onTestFinished(() => {
      flush.mockRestore()
      syncBuiltinESMExports()
    })
    const traces = new Traces(await tempDir(), 1000, {}, undefined, isShared)
    await traces.append(job, 0, Readable.from(['one ']), NO_SECRETS)
    await traces.append(job, 4, Readable.from(['two']), NO_SECRETS)
    expect(flush).toHaveBeenCalledTimes(isShared ? 2 : 0)
  },
)

test('the checksum of a trace is known without reading it, unless others wrote to it or a secret was masked later', async () => {
  const root = await tempDir()
  const [traces, other] = [new Traces(root, 1000), new Traces(root, 1000)]
  const read = vi.spyOn(traces, 'read')
  const masker = new SameLengthMasker(['top-secret'])
  await traces.append(job, 0, Readable.from(['one ']), masker)
  await traces.append(job, 4, Readable.from(['two ', 'top-']), masker)
  expect(await traces.checksum(job)).toBe(crc32('one two top-'))
  expect(read).not.toHaveBeenCalled()

  await traces.append(job, 12, Readable.from(['secret']), masker)
  expect(await traces.checksum(job)).toBe(crc32('one two [MASKED]**'))
  expect(read).toHaveBeenCalledTimes(1)

  await other.append(job, 18, Readable.from([' three']), masker)
  expect(await traces.checksum(job)).toBe(crc32('one two [MASKED]** three'))
})

test('no more than 128 traces are kept open, and none after the end', async () => {
  const traces = await openTraces()
  const before = await openFiles()
  for (let id = 0; id < 140; id++) {
    await traces.append({ id, project_id: 3 }, 0, Readable.from(['x']), NO_SECRETS)
  }
  expect((await openFiles()) - before).toBe(128)
  await traces.close()
  expect((await openFiles()) - before).toBe(0)
})

async function openFiles(): Promise<number> {
  const paths = await readdir('/proc/self/fd')
  const targets = await Promise.all(paths.map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')))
  return targets.filter((target) => target.endsWith('.log')).length
}
