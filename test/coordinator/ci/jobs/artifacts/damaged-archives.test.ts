import { readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'

import { expect, onTestFinished, test, vi } from 'vitest'

import { openForFile } from '../../../../support/lifetime.js'
import { zipOf } from '../../../support/zip.js'
import { openLogScene, startLog } from '../trace/running-job.js'

const scene = openForFile(openLogScene)
const CONTENT = 'the content of the first file'

/** A job that has ended with an archive, and the file of the archive. */
async function endedJob(archive?: Buffer) {
  const { coordinator, runner, reporter } = scene()
  const { job, finish } = await startLog(scene())
  await runner.upload(job, archive ?? (await buffer(await zipOf({ 'a/1': CONTENT, 'a/2': 'second' }))))
  await finish()
  const { app, project, settings, artifacts, logger } = coordinator
  const stored = await artifacts.find(job.id)
  const file = join(settings.dataDir, 'blobs', stored?.blob_key ?? '')
  const read = (below: string) =>
    app.call(reporter, `GET /projects/${project.id}/jobs/${job.id}/artifacts${below}`)
  const warn = vi.spyOn(logger, 'warn')
  onTestFinished(() => warn.mockRestore())
  return { file, read, warn }
}

type EndedJob = Awaited<ReturnType<typeof endedJob>>

async function change(file: string, at: (bytes: Buffer) => number): Promise<void> {
  const bytes = await readFile(file)
  const position = at(bytes)
  bytes[position] = bytes[position]! ^ 1
  await writeFile(file, bytes)
}

const TABLE = Buffer.from([0x50, 0x4b, 1, 2])
const HEADER = Buffer.from([0x50, 0x4b, 3, 4])
const ALL = ['', '/a/1', '/tree', '/tree?path=a', '/folder?path=a']

const DAMAGE: [name: string, damage: (file: string) => Promise<void>, readers: string[]][] = [
  ['is gone', (file) => rm(file), ALL],
  ['is cut', (file) => truncate(file, 60), ALL],
  ['has lost its last byte', async (file) => truncate(file, (await readFile(file)).length - 1), ALL],
  ['is empty', (file) => truncate(file, 0), ALL],
  // Byte 40 is in the packed bytes of the first file.
  ['has another byte in a file', (file) => change(file, () => 40), ['', '/a/1']],
  ['has a damaged header', (file) => change(file, (bytes) => bytes.indexOf(HEADER)), ['', '/a/1']],
  ['has a damaged table of contents', (file) => change(file, (bytes) => bytes.indexOf(TABLE)), ALL],
]

test.each(DAMAGE)('every reader of an archive that %s gets an error', async (_, damage, readers) => {
  const { file, read } = await endedJob()
  await damage(file)
  for (const reader of readers) expect([reader, await statusOf(read(reader))]).toEqual([reader, 500])
})

/** 500 for a response that broke off too: its client gets no complete response. */
async function statusOf(response: ReturnType<EndedJob['read']>): Promise<number> {
  return response.then(
    ({ statusCode }) => statusCode,
    () => 500,
  )
}

test('a damaged archive says what is wrong, and is logged once', async () => {
  const { file, read, warn } = await endedJob()
  await truncate(file, 60)
  for (const reader of ALL)
    expect((await read(reader)).body).toMatch(/The stored file is damaged: it has 60 bytes, not \d+/)
  expect(warn).toHaveBeenCalledTimes(1)
})

test('what was uploaded as no archive has no files', async () => {
  const { read } = await endedJob(Buffer.from('no archive at all'))
  expect((await read('')).statusCode).toBe(200)
  expect([await statusOf(read('/a/1')), await statusOf(read('/tree?path=a'))]).toEqual([404, 404])
})
