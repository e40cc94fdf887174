import { randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { duplexPair, Writable } from 'node:stream'

import { pino } from 'pino'
import { afterEach, describe, expect, test, vi } from 'vitest'

import { ExecutorError } from '../../../src/runner/executor/executor.js'
import { HelperClient } from '../../../src/runner/helper/client/helper-client.js'
import { encodeFrame } from '../../../src/runner/helper/protocol/frames.js'
import { serveHelper } from '../../../src/runner/helper/server/serve-helper.js'
import { JobStopError } from '../../../src/runner/job/job-control.js'
import { SourcesError } from '../../../src/runner/workspace/workspace.js'
import { testAtNight } from '../../support/nightly.js'
import { NEVER, RecordedLog } from '../executor/docker-jobs.js'
import { startGitServer } from '../workspace/git-server.js'
import {
  createPlaces,
  followToEnd,
  openHelper,
  openRemoteWorkspace,
  startScript,
  startSupervisor,
} from './helped-job.js'

const SILENT = pino({ level: 'silent' })

describe('the output of a script', () => {
  test.each([
    ['of bytes that cannot be compressed', randomBytes(3_000_000), 300_000],
    ['of text, which is compressed on the way', logLines(6_000_000), 80_000],
  ])(
    '%s is whole, wherever its connection breaks, and segments are kept until the runner has them',
    async (_, bytes, message) => {
      const places = await createPlaces()
      startSupervisor(places)
      const helped = openHelper(places)
      // Every third connection lasts for a message at least. After six losses without any output, a job fails.
      for (let cuts = 0; cuts < 8; cuts++)
        helped.cutAfter(1 + Math.floor((2 * Math.random() + (cuts % 3 === 0 ? 1 : 0)) * message))
      const workspace = await openRemoteWorkspace(helped.client, places)
      // It contains what begins as a mark.
      for (let at = 0; at < bytes.length - 10; at += 5000) bytes.write('\0ab12.', at)
      const file = join(places.own, 'bytes')
      await writeFile(file, bytes)
      const script = await startScript(helped, places, workspace, 1, `cat ${file}`, { segmentBytes: 400_000 })
      const { end, output } = await followToEnd(helped, script)
      expect(end?.exitCode).toBe(0)
      expect(output.equals(bytes)).toBe(true)
      expect(helped.connections).toBeGreaterThan(4)
    },
  )

  test('is whole after a cut of the connection inside of each part of its messages', async () => {
    const places = await createPlaces()
    startSupervisor(places)
    const uncut = openHelper(places)
    const workspace = await openRemoteWorkspace(uncut.client, places)
    // It ends with what begins as a mark.
    const command = `yes 'a line' | head -n 400; printf '\\0ab12'`
    const script = await startScript(uncut, places, workspace, 1, command)
    const { output } = await followToEnd(uncut, script)
    expect(output.toString()).toBe(`${'a line\n'.repeat(400)}\0ab12`)
    // Lengths, heads and bodies have more bytes than a step, or a later run tries the others.
    const step = 4
    let cut = Math.ceil(Math.random() * step)
    for (let isCut = true; isCut; cut += step) {
      const helped = openHelper(places)
      helped.cutAfter(cut)
      const again = await followToEnd(helped, script)
      expect(again.output.equals(output), `after ${cut} bytes`).toBe(true)
      isCut = helped.connections > 1
    }
    // The greeting, compressed output, other output, and the result.
    expect(cut).toBeGreaterThan(250)
  })

  testAtNight('waits in the pod for a log that takes it slowly', async () => {
    const places = await createPlaces()
    startSupervisor(places)
    const helped = openHelper(places)
    const workspace = await openRemoteWorkspace(helped.client, places)
    const script = await startScript(helped, places, workspace, 1, 'head -c 5000000 /dev/zero')
    let taken = 0
    const waiting: (() => void)[] = []
    const slow = new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        taken += chunk.length
        waiting.push(done)
      },
    })
    const followed = helped.client.followScript(script, slow, NEVER)
    await expect.poll(() => taken).toBeGreaterThan(0)
    expect(taken).toBeLessThanOrEqual(256 * 1024)
    const release = setInterval(() => waiting.splice(0).forEach((done) => done()), 0)
    expect((await followed)?.exitCode).toBe(0)
    clearInterval(release)
    expect(taken).toBe(5_000_000)
  })
})

describe('sources', () => {
  test('are fetched and published by the helper, and errors are those of the stage', async () => {
    const server = await startGitServer()
    const sha = await server.commit('echo one >file')
    const places = await createPlaces()
    const { client } = openHelper(places)
    const workspace = await openRemoteWorkspace(client, places, { repositoryUrl: server.repoUrl })
    const log = new RecordedLog()
    await workspace.prepareSources(sourceRequest(server.repoUrl, sha), log, NEVER)
    expect(await readFile(join(workspace.projectDir, 'file'), 'utf8')).toBe('one\n')
    expect(log.text).toContain(`Checking out ${sha.slice(0, 8)} as detached HEAD`)
    expect(workspace.environment['GIT_CONFIG_COUNT']).toBe('2')
    const wrong = sourceRequest(server.repoUrl, 'no-commit')
    await expect(workspace.prepareSources(wrong, log, NEVER)).rejects.toThrow(SourcesError)
  })

  testAtNight('are fetched again after the connection was lost, and the log says so', async () => {
    const server = await startGitServer()
    const sha = await server.commit('echo one >file')
    const places = await createPlaces()
    const helped = openHelper(places)
    helped.cutAfter(600)
    const workspace = await openRemoteWorkspace(helped.client, places)
    const log = new RecordedLog()
    await workspace.prepareSources(sourceRequest(server.repoUrl, sha), log, NEVER)
    expect(await readFile(join(workspace.projectDir, 'file'), 'utf8')).toBe('one\n')
    expect(log.text).toContain('The connection to the helper of the job was lost. This stage begins again.')
  })

  testAtNight('end with the job that is stopped, for its reason', async () => {
    const server = await startGitServer()
    const sha = await server.commit('true')
    const places = await createPlaces()
    const { client } = openHelper(places)
    const workspace = await openRemoteWorkspace(client, places)
    const controller = new AbortController()
    server.breakConnections(1000)
    const log = new RecordedLog()
    const fetched = workspace.prepareSources(sourceRequest(server.repoUrl, sha), log, controller.signal)
    await log.seen('Retrying')
    const reason = new JobStopError({ kind: 'canceled' })
    controller.abort(reason)
    await expect(fetched).rejects.toBe(reason)
  })
})

test('files and marks of a job come through the connection', async () => {
  const places = await createPlaces()
  const { client } = openHelper(places)
  const workspace = await openRemoteWorkspace(client, places)
  expect(await workspace.writeTemporaryFile('script-lines/x', '').catch(String)).toContain(
    'not a valid file name',
  )
  expect(await workspace.writeTemporaryFile('VARIABLE', 'é\n', 0o600)).toBe(
    `${workspace.temporaryDir}/VARIABLE`,
  )
  await writeFile(join(workspace.temporaryDir, 'script-lines', 'line.1'), '')
  expect(await workspace.readMarks(NEVER)).toMatchObject([{ name: 'line.1' }])
  const bytes = randomBytes(1000)
  await writeFile(join(workspace.projectDir, 'notes'), bytes)
  expect(await workspace.readSmallFile('notes', 1000, NEVER)).toEqual({ kind: 'content', content: bytes })
  expect(await workspace.readSmallFile('notes', 999, NEVER)).toEqual({ kind: 'too-large' })
  expect(await workspace.readSmallFile('none', 9, NEVER)).toEqual({ kind: 'missing' })
  await workspace.clear(NEVER)
  expect(await workspace.readSmallFile('notes', 1000, NEVER)).toEqual({ kind: 'missing' })
})

describe('a connection', () => {
  afterEach(() => vi.useRealTimers())

  test('to an image of another version names both versions and the setting', async () => {
    const places = await createPlaces()
    const client = new HelperClient({
      places,
      areBuildsKept: false,
      version: '1.2.3',
      connect: async () => {
        const [ours, theirs] = duplexPair()
        void serveHelper(theirs, { places, logger: SILENT, version: '1.0.0' })
        return ours
      },
    })
    const failed = client.ready(NEVER)
    await expect(failed).rejects.toThrow(/version 1\.0\.0 .* version 1\.2\.3\. Set helper_image/)
    await expect(failed).rejects.toMatchObject({ reason: 'runner_configuration_error' })
  })

  test('to something else shows what it says', async () => {
    const client = await clientOf((stream) => stream.end('sh: switchyard: not found\n'))
    await expect(client.ready(NEVER)).rejects.toThrow('"sh: switchyard: not found"')
  })

  test('of a job that no longer exists fails each request with its reason', async () => {
    const gone = new ExecutorError('The pod was evicted', 'runner_system_failure')
    const client = new HelperClient({
      places: await createPlaces(),
      areBuildsKept: false,
      connect: () => Promise.reject(gone),
    })
    await expect(client.ready(NEVER)).rejects.toBe(gone)
    await expect(client.signalScript(anyScript(), 'TERM')).rejects.toBe(gone)
  })

  test('that is silent is dead for both sides, and the helper ends its requests', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] })
    const [ours, theirs] = duplexPair()
    ours.write(encodeFrame({ type: 'hello', version: '1' }))
    ours.write(encodeFrame({ type: 'request', id: 1, method: 'ready' }, Buffer.from('{}')))
    const served = serveHelper(theirs, { places: await createPlaces(), logger: SILENT, version: '1' })
    ours.resume()
    await vi.advanceTimersByTimeAsync(29_000)
    let hasEnded = false
    void served.then(() => (hasEnded = true))
    expect(hasEnded).toBe(false)
    await vi.advanceTimersByTimeAsync(15_000)
    await served
  })

  test.each([
    ['a message of another format', encodeFrame({ type: 'data', id: 'x' })],
    ['a message that is too long', Buffer.from([0, 0, 0, 2, 0xff, 0xff, 0xff, 0xff])],
    ['more bytes than the runner has asked for', tooMuchData({}, Buffer.alloc(256 * 1024))],
    ['more compressed ones than it has asked for', tooMuchData({ size: 256 * 1024 }, Buffer.alloc(10))],
  ])('that sends %s is closed, and the request fails after some attempts', async (_, bytes) => {
    const client = await clientOf((stream, version) => {
      stream.write(encodeFrame({ type: 'hello', version }))
      stream.on('data', (chunk: Buffer) => {
        if (chunk.includes('"request"')) stream.write(bytes)
      })
    })
    await expect(client.startScript(anyScript(), {}, NEVER)).rejects.toThrow('ends again and again')
  })
})

/** Bytes of 256 kB each, for a window of 4 MB. */
function tooMuchData(size: { size?: number }, body: Buffer): Buffer {
  const data = encodeFrame({ type: 'data', id: 1, stream: 'output', ...size }, body)
  return Buffer.concat(Array.from({ length: 17 }, () => data))
}

/** Lines as of a log, which differ. */
function logLines(bytes: number): Buffer {
  const lines = Array.from(
    { length: bytes / 40 },
    (_, index) => `${index} compiling module ${(index * 7919) % 100_003} of the program\n`,
  )
  return Buffer.from(lines.join('')).subarray(0, bytes)
}

/** A client of a helper that `serve` plays. */
async function clientOf(serve: (stream: Writable & NodeJS.ReadableStream, version: string) => void) {
  const version = '1.0.0'
  return new HelperClient({
    places: await createPlaces(),
    areBuildsKept: false,
    version,
    firstDelay: 1,
    connect: async () => {
      const [ours, theirs] = duplexPair()
      theirs.on('error', () => {})
      serve(theirs, version)
      return ours
    },
  })
}

function anyScript() {
  const output = { directory: '/control/1', token: 'ab', headBytes: 1, segmentBytes: 1 }
  return { number: 1, path: '/script', output }
}

function sourceRequest(url: string, sha: string) {
  return {
    git: {
      repo_url: url,
      ref: 'main',
      sha,
      refspecs: ['+refs/heads/main:refs/remotes/origin/main'],
      depth: 20,
    },
    strategy: 'fetch' as const,
    userAgent: 'switchyard test',
  }
}
