import { createHash, randomBytes } from 'node:crypto'
import { readFile, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'

import { expect, test } from 'vitest'

import { downloadArtifacts, uploadArtifact, uploadArtifacts } from '../../src/runner/job/stages/artifacts.js'
import { pushPipeline, startCiCoordinator } from '../coordinator/support/ci-coordinator.js'
import { RunnerClient } from '../coordinator/support/runner-client.js'
import { uploadingJob } from '../runner/artifacts/uploading-job.js'
import { tempDir } from '../support/temp-dir.js'

const TWO_STAGES = `
stages: [build, test]
make: { stage: build, script: [a], artifacts: { paths: [dist] } }
check: { stage: test, script: [b] }
`

test('an archive and reports of one job are kept each for itself, and the archive comes to the next job as it was', async () => {
  const coordinator = await startCiCoordinator()
  const runner = await RunnerClient.register(coordinator)
  await pushPipeline(coordinator, TWO_STAGES)
  const url = coordinator.url.replace('/api/v4', '')
  const make = await runner.takeJob()
  const text = 'text\n'.repeat(300_000)
  const files = { 'dist/text': text, 'dist/deep/x': 'x', 'junit.xml': '<testsuite/>', 'quality.json': '[1]' }
  const { job, log, work } = await uploadingJob(url, {
    identity: make,
    files,
    artifacts: [
      ...(make.artifacts ?? []),
      { name: 'junit.xml', paths: ['junit.xml'], artifact_type: 'junit', artifact_format: 'gzip' },
      { name: 'q.json', paths: ['quality.json'], artifact_type: 'codequality', artifact_format: 'raw' },
    ],
  })
  await symlink('deep/x', join(work, 'dist/link'))
  expect(await uploadArtifacts(job, true), log.text).toEqual({ kind: 'success' })

  const kept = await coordinator.artifacts.ofJobs([make.id])
  expect(kept.map(({ file_type, file_format, filename }) => [file_type, file_format, filename])).toEqual([
    ['archive', 'zip', 'artifacts.zip'],
    ['junit', 'gzip', 'junit.xml.gz'],
    ['codequality', 'raw', 'q.json'],
  ])
  const [archive, junit, quality] = await Promise.all(
    kept.map(async (artifact) => buffer(await coordinator.artifacts.open(artifact))),
  )
  expect(
    createHash('sha256')
      .update(archive ?? '')
      .digest('hex'),
  ).toBe(kept[0]?.sha256)
  expect(gunzipSync(junit ?? '').toString()).toBe('<testsuite/>')
  expect(quality?.toString()).toBe('[1]')

  // What a runner that was killed does: everything once more.
  expect(await uploadArtifacts(job, true), log.text).toEqual({ kind: 'success' })
  const large = await uploadingJob(url, { identity: make, files: { new: 'new' } })
  expect(await uploadArtifact(large.job, { paths: ['new'] })).toMatchObject({ kind: 'failed' })

  await runner.update(make, 'success')
  const check = await runner.takeJob()
  const next = await uploadingJob(url, { identity: check, files: {} })
  const needs = { ...next.job, payload: check, temporaryDir: await tempDir() }
  expect(await downloadArtifacts(needs), next.log.text).toEqual({ kind: 'success' })
  expect(await readFile(join(next.work, 'dist/text'), 'utf8')).toBe(text)
  expect(await readFile(join(next.work, 'dist/link'), 'utf8')).toBe('x')
})

test.each([
  ['its own', true, 'it is larger than the 1 MiB that the coordinator accepts'],
  ['a foreign', false, '413 Payload Too Large'],
])('an archive that is too large fails with the reason on %s coordinator', async (_, isAnnounced, reason) => {
  const coordinator = await startCiCoordinator({ artifactsMaxBytes: 1024 * 1024 })
  const runner = await RunnerClient.register(coordinator)
  await pushPipeline(coordinator, TWO_STAGES)
  const make = await runner.takeJob()
  const { job, log } = await uploadingJob(coordinator.url.replace('/api/v4', ''), {
    identity: make,
    files: { 'dist/noise': randomBytes(5_000_000) },
    ...(isAnnounced && { limit: make.features?.max_artifacts_size ?? 0 }),
  })
  expect(await uploadArtifact(job, { paths: ['dist'] })).toMatchObject({ kind: 'failed' })
  expect(log.text).toContain(reason)
  expect(await coordinator.artifacts.ofJobs([make.id])).toEqual([])
})
