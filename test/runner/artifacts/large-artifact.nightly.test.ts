import { randomBytes } from 'node:crypto'
import { open } from 'node:fs/promises'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { TreeReader } from '../../../src/archive/tree-inputs.js'
import { downloadArtifacts, uploadArtifacts } from '../../../src/runner/job/stages/artifacts.js'
import { pushPipeline, startCiCoordinator } from '../../coordinator/support/ci-coordinator.js'
import { RunnerClient } from '../../coordinator/support/runner-client.js'
import { PeakMemory } from '../../support/peak-memory.js'
import { tempDir } from '../../support/temp-dir.js'
import { uploadingJob } from './uploading-job.js'

const MEGABYTE = 1024 * 1024
const HUGE_BYTES = 5 * 1024 * MEGABYTE + 12_345

const TWO_STAGES = `
stages: [build, test]
make: { stage: build, script: [a], artifacts: { paths: [huge] } }
check: { stage: test, script: [b] }
`

/** Noise at every 13 megabytes and nothing between, as in the image of a disk. */
async function writeHuge(path: string): Promise<void> {
  const file = await open(path, 'w')
  const block = randomBytes(MEGABYTE)
  for (let at = 0; at < HUGE_BYTES; at += 13 * MEGABYTE) await file.write(block, 0, block.length, at)
  await file.truncate(HUGE_BYTES)
  await file.close()
}

async function isSame(first: string, second: string, name: string): Promise<boolean> {
  const [a, b] = await Promise.all([first, second].map((root) => new TreeReader(root).openFile(name)))
  if (!a || !b || a.size !== b.size) return false
  const other = b.content[Symbol.asyncIterator]()
  for await (const chunk of a.content) {
    const { value } = (await other.next()) as { value?: Buffer }
    if (!value?.equals(chunk)) return false
  }
  return true
}

test('5 GiB are uploaded and downloaded unchanged with constant memory', async () => {
  const coordinator = await startCiCoordinator({ artifactsMaxBytes: 2 * HUGE_BYTES })
  const runner = await RunnerClient.register(coordinator)
  await pushPipeline(coordinator, TWO_STAGES)
  const url = coordinator.url.replace('/api/v4', '')
  const make = await runner.takeJob()
  const { job, work, log } = await uploadingJob(url, {
    identity: make,
    files: {},
    artifacts: make.artifacts ?? [],
  })
  await writeHuge(join(work, 'huge'))

  const memory = PeakMemory.start()
  const watch = setInterval(() => memory.sample(), 20)
  expect(await uploadArtifacts(job, true), log.text).toEqual({ kind: 'success' })
  await runner.update(make, 'success')
  const check = await runner.takeJob()
  const next = await uploadingJob(url, { identity: check, files: {} })
  const needs = { ...next.job, payload: check, temporaryDir: await tempDir() }
  expect(await downloadArtifacts(needs), next.log.text).toEqual({ kind: 'success' })
  clearInterval(watch)
  expect(await isSame(work, next.work, 'huge')).toBe(true)
  // Runner, coordinator and the test itself are one process here.
  expect(memory.growth).toBeLessThan(250 * MEGABYTE)
})
