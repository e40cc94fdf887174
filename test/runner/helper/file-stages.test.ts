import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'

import { beforeEach, expect, test } from 'vitest'

import { zipInputs } from '../../../src/archive/zip-writer.js'
import type { JobPayload } from '../../../src/protocol/job-payload.js'
import type { UploadPlan } from '../../../src/runner/artifacts/artifact-archive.js'
import { storeArtifact } from '../../../src/runner/artifacts/send-artifact.js'
import { JobControl } from '../../../src/runner/job/job-control.js'
import type { HelperStageJob } from '../../../src/runner/job/job-helper.js'
import { JobLog } from '../../../src/runner/trace/job-log.js'
import { collectVariables } from '../../../src/runner/variables/job-variables.js'
import { jobPayload } from '../../support/job-payload.js'
import { MisbehavingCoordinator } from '../../support/misbehaving-coordinator.js'
import { QUICK_TIMINGS } from '../../support/quick-timings.js'
import { runnerRegistration } from '../../support/running-runner.js'
import { tempDir } from '../../support/temp-dir.js'
import { RecordedLog } from '../executor/docker-jobs.js'
import { createPlaces, openHelper, openRemoteWorkspace } from './helped-job.js'

let coordinator: MisbehavingCoordinator

beforeEach(async () => {
  coordinator = await MisbehavingCoordinator.start()
  return () => coordinator.stop()
})

/** A job whose files only a helper reaches. `cut`: bytes from the helper after which its connection breaks. */
async function openJob(changes: Partial<JobPayload>, cut?: number) {
  const places = await createPlaces()
  const helped = openHelper(places)
  if (cut !== undefined) helped.cutAfter(cut)
  const workspace = await openRemoteWorkspace(helped.client, places)
  const payload = jobPayload({ id: 124, token: 'job-token-of-124', ...changes })
  const recorded = new RecordedLog()
  const stages: string[] = []
  const log = new JobLog(recorded.output, true, (stage) => {
    stages.push(`enter ${stage}`)
    return () => stages.push(`leave ${stage}`)
  })
  const [damaged, stored, directory] = [new Set<string>(), [] as UploadPlan[], await tempDir()]
  const control = new JobControl()
  const job: HelperStageJob = {
    payload,
    registration: runnerRegistration(coordinator.url),
    variables: collectVariables({
      payload,
      paths: workspace,
      configured: [],
      runnerToken: 'glrt-runner-token',
      concurrentId: 0,
      concurrentProjectId: 0,
      timeoutSeconds: 3600,
    }),
    damagedCaches: damaged,
    log,
    control,
    timings: QUICK_TIMINGS,
    steps: {
      storeArtifactForLater: async (plan, open, signal) => {
        await storeArtifact(plan, open, join(directory, String(stored.length)), signal)
        stored.push(plan)
      },
    },
  }
  const file = (name: string) => join(workspace.projectDir, name)
  return { job, helped, workspace, recorded, stages, control, stored, directory, file, damaged }
}

const DEPENDENCY = {
  id: 7,
  name: 'build',
  token: 'token-of-7',
  artifacts_file: { filename: 'a.zip', size: 1 },
}
const APP = {
  kind: 'file',
  name: 'dist',
  content: Buffer.from('app'),
  modified: new Date(0),
  mode: 0o644,
  uid: 0,
  gid: 0,
} as const
const ARTIFACTS = [{ paths: ['dist/'], artifact_type: 'archive', artifact_format: 'zip' }]

test('artifacts go from the helper to the coordinator, and the stage is that of other jobs', async () => {
  const { job, helped, recorded, stages, file } = await openJob({ artifacts: ARTIFACTS })
  await mkdir(file('dist'))
  await writeFile(file('dist/app'), 'app')
  expect(await helped.client.runFileStage(job, 'upload_artifacts', true)).toEqual({ kind: 'success' })
  expect(coordinator.callsOf('upload')).toHaveLength(1)
  expect(recorded.text).toMatch(
    /^section_start:\d+:upload_artifacts_on_success\r[^]*dist\/: found 2 matching[^]*201 Created[^]*section_end:\d+:upload_artifacts_on_success\r/,
  )
  expect(stages).toEqual(['enter upload_artifacts_on_success', 'leave upload_artifacts_on_success'])
})

test('an artifact that the coordinator does not accept now is stored by the runner, whole', async () => {
  const { job, helped, recorded, stored, directory, file } = await openJob({
    artifacts: [{ name: 'bytes', paths: ['bytes'], artifact_type: 'sast', artifact_format: 'raw' }],
  })
  const bytes = Buffer.alloc(3_000_000, 'abc')
  await writeFile(file('bytes'), bytes)
  coordinator.misbehave('upload', ...Array.from({ length: 10 }, () => 'cut' as const))
  expect(await helped.client.runFileStage(job, 'upload_artifacts', true)).toEqual({ kind: 'success' })
  expect(stored).toMatchObject([{ type: 'sast', format: 'raw' }])
  expect((await readFile(join(directory, '0'))).equals(bytes)).toBe(true)
  expect(recorded.text).toContain('The runner keeps the artifact and uploads it later')
})

test('artifacts of other jobs are unpacked by the helper, again if the connection is lost', async () => {
  const { job, helped, recorded, stages, file } = await openJob({ dependencies: [DEPENDENCY] }, 300)
  coordinator.artifacts.set(7, await buffer(zipInputs([async () => APP], { level: 1 })))
  expect(await helped.client.runFileStage(job, 'download_artifacts', true)).toEqual({ kind: 'success' })
  expect(await readFile(file('dist'), 'utf8')).toBe('app')
  expect(helped.connections).toBe(2)
  expect(recorded.text).toContain(
    'The connection to the helper of the job was lost. This stage begins again.',
  )
  expect(recorded.text.match(/section_start:/g)).toHaveLength(2)
  expect(recorded.text.match(/section_end:/g)).toHaveLength(2)
  const once = ['enter download_artifacts', 'leave download_artifacts']
  expect(stages).toEqual([...once, ...once])
})

test.each(['restore_caches', 'download_artifacts', 'save_caches', 'upload_artifacts'] as const)(
  'a job that names no files for %s does not ask the helper',
  async (stage) => {
    const empty = { key: 'deps', paths: [] }
    const { job, helped } = await openJob({
      cache: [empty],
      dependencies: [{ ...DEPENDENCY, artifacts_file: undefined }],
      artifacts: [{ ...ARTIFACTS[0], paths: [] }],
    })
    await helped.client.close()
    expect(await helped.client.runFileStage(job, stage, true)).toEqual({ kind: 'success' })
  },
)

test('a stage of a canceled job fails for this reason', async () => {
  const { job, helped, control } = await openJob({
    dependencies: [DEPENDENCY],
  })
  control.stop({ kind: 'canceled' })
  await expect(helped.client.runFileStage(job, 'download_artifacts', true)).rejects.toBe(control.work.reason)
})

test('a cache without a shared store lasts as long as the pod, which the log says', async () => {
  const cache = [{ key: 'deps', paths: ['deps/'] }]
  const { job, helped, recorded, file, damaged } = await openJob({ cache })
  await mkdir(file('deps'))
  await writeFile(file('deps/lib'), 'lib')
  expect(await helped.client.runFileStage(job, 'save_caches', true)).toEqual({ kind: 'success' })
  await rm(file('deps'), { recursive: true })
  expect(await helped.client.runFileStage(job, 'restore_caches', true)).toEqual({ kind: 'success' })
  expect(await readFile(file('deps/lib'), 'utf8')).toBe('lib')
  expect(recorded.text).toContain('the cache of a pod ends with the pod')
  expect(damaged.size).toBe(0)
})
