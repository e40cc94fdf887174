import { access, mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Readable } from 'node:stream'

import { expect, test } from 'vitest'

import { deleteBeyondStorage } from '../../../../../src/coordinator/ci/pipelines/retention/delete-beyond-storage.js'
import { listDueOfProjects } from '../../../../../src/coordinator/ci/pipelines/retention/list-due-of-projects.js'
import { listRemovals, Removals } from '../../../../../src/coordinator/ci/pipelines/retention/removals.js'
import { createLogger } from '../../../../../src/lib/logger.js'
import { describeOnDatabase, describeOnEachDatabase } from '../../../../support/databases.js'
import { testAtNight } from '../../../../support/nightly.js'
import { type CiCoordinator, ciCoordinatorForFile, pushPipeline } from '../../../support/ci-coordinator.js'
import { insertArtifact } from '../../../support/insert-artifact.js'
import { addProject } from '../../engine/support/records.js'

const openCoordinator = ciCoordinatorForFile()

const CI_FILE = 'build: { script: [a] }'
const UNLIMITED = { storageBytes: 0, projectStorageBytes: 0 }
const { signal } = new AbortController()

interface Files {
  /** Order in which the job ended and the artifact arrived. */
  at: number
  log?: number
  artifact?: number
  status?: 'success' | 'running'
}

/** A pipeline of one job that has ended, with its files. */
async function addJob(
  coordinator: CiCoordinator,
  { at, log, artifact, status = 'success' }: Files,
): Promise<number> {
  const { database, traces, blobs } = coordinator
  const pipeline = await pushPipeline(coordinator, CI_FILE, { ref: `branch-${at}` })
  await database.updateTable('pipeline').set({ status }).where('id', '=', pipeline.id).execute()
  const job = await database
    .selectFrom('job')
    .select(['id', 'project_id'])
    .where('pipeline_id', '=', pipeline.id)
    .executeTakeFirstOrThrow()
  await database
    .updateTable('job')
    .set({ status: 'success', finished_at: at, trace_bytes: log ?? null })
    .where('id', '=', job.id)
    .execute()
  if (log !== undefined) {
    const file = traces.files(job).log
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, 'x'.repeat(log))
  }
  if (artifact !== undefined) {
    await blobs.write(`artifact-${job.id}`, Readable.from(['x'.repeat(artifact)]), artifact)
    await insertArtifact(database, job, { size: artifact, blob_key: `artifact-${job.id}`, created_at: at })
  }
  return pipeline.id
}

async function run(coordinator: CiCoordinator, limits: Partial<typeof UNLIMITED>, mayGoOn = () => true) {
  const retired: unknown[] = []
  const deps = {
    ...coordinator,
    mayGoOn: () => Promise.resolve(mayGoOn()),
    onRetired: (one: unknown) => void retired.push(one),
  }
  await deleteBeyondStorage(deps, { ...UNLIMITED, ...limits, jobsPerSecond: 1e9 }, signal)
  return retired
}

/** Sizes that are still in the store, by the end of the job. */
async function stored({ database }: CiCoordinator) {
  const logs = await database
    .selectFrom('job')
    .select(['finished_at', 'trace_bytes'])
    .where('trace_bytes', 'is not', null)
    .orderBy('finished_at')
    .execute()
  const artifacts = await database
    .selectFrom('job_artifact')
    .select(['created_at', 'size'])
    .where('blob_key', '!=', '')
    .orderBy('id')
    .execute()
  return {
    logs: logs.map(({ finished_at }) => finished_at),
    artifacts: artifacts.map(({ created_at }) => created_at),
  }
}

describeOnEachDatabase('logs and artifacts beyond the limits of storage', (open, testOnOne) => {
  test('the oldest are deleted with their files until the limit is met', async () => {
    const coordinator = await openCoordinator(open)
    const { database, project, blobs } = coordinator
    await addJob(coordinator, { at: 1, log: 100 })
    await addJob(coordinator, { at: 2, artifact: 100 })
    await addJob(coordinator, { at: 3, log: 100, artifact: 100 })
    const limits = { ...UNLIMITED, projectStorageBytes: 250 }
    const search = { ...limits, pipelineDays: 0, pipelineCount: 0, logDays: 0 }
    expect(await listDueOfProjects(database, search, signal)).toMatchObject([
      { path: 'group/app', excessLogs: 1, excessLogBytes: 100, excessArtifacts: 1, excessArtifactBytes: 100 },
    ])
    const [first, second] = await database
      .selectFrom('job')
      .select(['id', 'project_id'])
      .orderBy('id')
      .execute()
    if (!first || !second) throw new Error('There are no jobs')
    expect(await run(coordinator, limits)).toEqual([
      { kind: 'logs', projectId: project.id, number: 1, bytes: 100 },
      { kind: 'artifacts', projectId: project.id, number: 1, bytes: 100 },
    ])
    expect(await stored(coordinator)).toEqual({ logs: [3], artifacts: [3] })
    await expect(access(coordinator.traces.files(first).log)).rejects.toThrow('ENOENT')
    expect(await blobs.exists(`artifact-${second.id}`)).toBe(false)
    expect(await run(coordinator, limits)).toEqual([])
    expect(await listDueOfProjects(database, search, signal)).toEqual([])
  })

  testOnOne(
    'a limit of the installation takes the oldest of all projects, one of projects those of its own',
    async () => {
      const coordinator = await openCoordinator(open)
      const other = { ...coordinator, project: await addProject(coordinator.database, coordinator.admin) }
      await addJob(coordinator, { at: 1, log: 10 })
      await addJob(coordinator, { at: 2, log: 100 })
      await addJob(other, { at: 3, log: 10 })
      await addJob(coordinator, { at: 4, log: 100 })
      await addJob(other, { at: 5, log: 10 })
      await run(coordinator, { projectStorageBytes: 205 })
      expect((await stored(coordinator)).logs).toEqual([2, 3, 4, 5])
      await run(coordinator, { storageBytes: 115 })
      expect((await stored(coordinator)).logs).toEqual([4, 5])
    },
  )
})

testAtNight(
  'files of pipelines that run, and of the latest success of a ref, stay beyond the limit',
  async () => {
    const coordinator = await openCoordinator()
    const { database, project } = coordinator
    const kept = await addJob(coordinator, { at: 1, log: 10, artifact: 10 })
    const running = await addJob(coordinator, { at: 2, log: 10, artifact: 10, status: 'running' })
    await addJob(coordinator, { at: 3, log: 10, artifact: 10 })
    await database.deleteFrom('artifact_lock').execute()
    await database
      .insertInto('artifact_lock')
      .values({ project_id: project.id, ref: 'branch-1', tag: false, pipeline_id: kept })
      .execute()
    await run(coordinator, { storageBytes: 1 })
    expect(await stored(coordinator)).toEqual({ logs: [1, 2], artifacts: [1, 2] })
    await database.deleteFrom('artifact_lock').execute()
    await database.updateTable('pipeline').set({ status: 'failed' }).where('id', '=', running).execute()
    await run(coordinator, { storageBytes: 1 })
    expect(await stored(coordinator)).toEqual({ logs: [], artifacts: [] })
  },
)

test('a coordinator that is no longer in charge deletes nothing', async () => {
  const coordinator = await openCoordinator()
  await addJob(coordinator, { at: 1, log: 10 })
  await run(coordinator, { storageBytes: 1 }, () => false)
  expect((await stored(coordinator)).logs).toEqual([1])
})

describeOnDatabase('what was deleted', (open) => {
  test('is added up by day, project and kind, and kept for 30 days', async () => {
    const { database, project } = await openCoordinator(open)
    let now = Date.parse('2030-01-01T12:00:00Z')
    const removals = new Removals(database, createLogger('test', 'silent'), () => now)
    const log = { kind: 'logs', projectId: project.id, number: 1, bytes: 7 } as const
    removals.record(log)
    removals.record(log)
    await removals.write()
    removals.record(log)
    removals.record({ kind: 'artifacts', projectId: 999, number: 0 })
    removals.record({ kind: 'activity_events', number: 5 })
    await removals.write()
    const day = '2030-01-01'
    const logs = { day, projectId: project.id, path: 'group/app', kind: 'logs', number: 3, bytes: 21 }
    expect(await listRemovals(database, now)).toEqual([
      { day, projectId: null, path: null, kind: 'activity_events', number: 5, bytes: 0 },
      logs,
    ])
    now = Date.parse('2030-01-30T12:00:00Z')
    await removals.write()
    expect(await listRemovals(database, now)).toHaveLength(2)
    now = Date.parse('2030-01-31T12:00:00Z')
    await removals.write()
    expect(await database.selectFrom('retention_removal').selectAll().execute()).toEqual([])
  })
})
