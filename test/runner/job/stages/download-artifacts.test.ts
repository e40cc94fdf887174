import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'

import { beforeEach, expect, test } from 'vitest'

import { downloadArtifacts } from '../../../../src/runner/job/stages/artifacts.js'
import { MisbehavingCoordinator } from '../../../support/misbehaving-coordinator.js'
import { sampled } from '../../../support/nightly.js'
import { tempDir } from '../../../support/temp-dir.js'
import { zipFiles } from '../../../support/zip-files.js'
import { uploadingJob } from '../../artifacts/uploading-job.js'

let coordinator: MisbehavingCoordinator

beforeEach(async () => {
  coordinator = await MisbehavingCoordinator.start()
  return () => coordinator.stop()
})

async function download(archive: Buffer) {
  coordinator.artifacts.set(123, archive)
  const { job, log, work } = await uploadingJob(coordinator.url, { files: {} })
  const dependencies = [
    { id: 123, name: 'make', token: 'token-of-123', artifacts_file: { filename: 'a.zip', size: 1 } },
  ]
  const temporaryDir = await tempDir()
  const outcome = await downloadArtifacts({
    ...job,
    payload: { ...job.payload, dependencies },
    timings: { ...job.timings, downloadRetry: 1, silenceTimeout: 60_000 },
    temporaryDir,
  })
  expect(await readdir(temporaryDir)).toEqual([])
  return { outcome, text: log.text, work }
}

async function zipOf(content: string): Promise<Buffer> {
  const root = await tempDir()
  await writeFile(join(root, 'file'), content)
  return buffer(zipFiles(root, ['file'], { level: 0 }))
}

test('the archive of a dependency is downloaded after interrupted attempts', async () => {
  coordinator.misbehave('download', 'cut', { status: 500, body: 'no' })
  const { outcome, work } = await download(await zipOf('content'))
  expect(outcome).toEqual({ kind: 'success' })
  expect(await readFile(join(work, 'file'), 'utf8')).toBe('content')
  expect(coordinator.callsOf('download')).toHaveLength(3)
})

test.each(sampled([507, 502, 504], 1))(
  'an archive is requested until a coordinator that is unavailable (%i) sends it',
  async (status) => {
    coordinator.misbehave('download', ...Array.from({ length: 5 }, () => ({ status })))
    const { outcome, work } = await download(await zipOf('content'))
    expect(outcome).toEqual({ kind: 'success' })
    expect(await readFile(join(work, 'file'), 'utf8')).toBe('content')
  },
)

test.each([401, 403, 404])('an archive that gets %i is requested once', async (status) => {
  coordinator.misbehave('download', { status })
  const { outcome } = await download(Buffer.alloc(0))
  expect(outcome).toMatchObject({ kind: 'failed', exitCode: 1 })
  expect(coordinator.callsOf('download')).toHaveLength(1)
})

test('a damaged archive fails the job with the reason', async () => {
  const archive = await zipOf('content')
  archive.write('CONTENT', archive.indexOf('content'))
  const { outcome, text } = await download(archive)
  expect(outcome).toMatchObject({ kind: 'failed' })
  expect(text).toContain(
    'The archive cannot be unpacked: The archive is damaged: the size or checksum of "file" does not match',
  )
})

test.each([
  ['gzip', gzipSync('report')],
  ['tar.zst', Buffer.from('28b52ffd00', 'hex')],
])('an archive of the format %s is reported as unsupported', async (format, archive) => {
  const { outcome, text } = await download(archive)
  expect(outcome).toMatchObject({ kind: 'failed' })
  expect(text).toContain(`The archive has the format ${format}, which this runner does not support`)
})
