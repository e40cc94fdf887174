import { access, mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'

import { expect, test } from 'vitest'

import { deleteOldLogs } from '../../../../../src/coordinator/ci/pipelines/retention/delete-old-logs.js'
import { deleteOldPipelines } from '../../../../../src/coordinator/ci/pipelines/retention/delete-old-pipelines.js'
import {
  listDueOfProjects,
  type ProjectLimits,
} from '../../../../../src/coordinator/ci/pipelines/retention/list-due-of-projects.js'
import type { Retired, RetiredKind } from '../../../../../src/coordinator/ci/pipelines/retention/retired.js'
import type { CompositeStatus } from '../../../../../src/coordinator/database/tables/pipelines.js'
import { describeOnEachDatabase } from '../../../../support/databases.js'
import { type CiCoordinator, ciCoordinatorForFile, pushPipeline } from '../../../support/ci-coordinator.js'

const openCoordinator = ciCoordinatorForFile()

const CI_FILE = 'build: { script: [a] }'
const DAY = 24 * 3600 * 1000
const NO_LIMITS = { pipelineDays: 0, pipelineCount: 0, jobsPerSecond: 1e9 }

function due({ database }: CiCoordinator, limits: Partial<ProjectLimits>) {
  const none = { ...NO_LIMITS, logDays: 0, storageBytes: 0, projectStorageBytes: 0 }
  return listDueOfProjects(database, { ...none, ...limits }, new AbortController().signal)
}

interface Wanted {
  status: CompositeStatus
  /** Age in days. */
  age?: number
  ref?: string
  isProtected?: boolean
}

async function addPipeline(
  coordinator: CiCoordinator,
  { status, age = 0, ref = 'topic', isProtected = false }: Wanted,
): Promise<number> {
  const { id } = await pushPipeline(coordinator, CI_FILE, { ref })
  await coordinator.database
    .updateTable('pipeline')
    .set({ status, protected: isProtected, created_at: Date.now() - age * DAY })
    .where('id', '=', id)
    .execute()
  return id
}

async function remaining({ database }: CiCoordinator): Promise<number[]> {
  const rows = await database.selectFrom('pipeline').select('id').orderBy('id').execute()
  return rows.map(({ id }) => id)
}

async function jobOf({ database }: CiCoordinator, pipelineId: number) {
  return database
    .selectFrom('job')
    .selectAll()
    .where('pipeline_id', '=', pipelineId)
    .executeTakeFirstOrThrow()
}

function run(coordinator: CiCoordinator, limits: Partial<typeof NO_LIMITS>, mayGoOn = () => true) {
  const went: Partial<Record<RetiredKind, [number, number]>> = {}
  const deps = {
    ...coordinator,
    mayGoOn: () => Promise.resolve(mayGoOn()),
    onRetired: ({ kind, number, bytes = 0 }: Retired) => {
      const [before, bytesBefore] = went[kind] ?? [0, 0]
      went[kind] = [before + number, bytesBefore + bytes]
    },
  }
  const pace = Object.assign({}, NO_LIMITS, limits)
  return deleteOldPipelines(deps, pace, new AbortController().signal).then(() => went)
}

describeOnEachDatabase('old pipelines', (open, testOnOne) => {
  test('what is too old and at rest is deleted with its files, and counted', async () => {
    const coordinator = await openCoordinator(open)
    const { database, traces, project } = coordinator
    const old = await addPipeline(coordinator, { status: 'failed', age: 31 })
    const running = await addPipeline(coordinator, { status: 'running', age: 31 })
    await addPipeline(coordinator, { status: 'manual', age: 31 })
    const young = await addPipeline(coordinator, { status: 'failed', age: 29 })
    const job = await jobOf(coordinator, old)
    const { log } = traces.files(job)
    await mkdir(dirname(log), { recursive: true })
    await writeFile(log, '7 bytes')
    await database.updateTable('job').set({ trace_bytes: 7 }).where('id', '=', job.id).execute()
    await database
      .insertInto('job_artifact')
      .values({
        project_id: project.id,
        job_id: job.id,
        file_type: 'archive',
        file_format: 'zip',
        filename: 'a.zip',
        size: 11,
        sha256: '0'.repeat(64),
        blob_key: 'a',
        expire_at: null,
        created_at: Date.now(),
      })
      .execute()
    const limits = { pipelineDays: 30, pipelineCount: 0 }
    expect(await due(coordinator, limits)).toEqual([
      {
        projectId: project.id,
        path: 'group/app',
        pipelines: 2,
        jobs: 2,
        logBytes: 7,
        artifacts: 1,
        artifactBytes: 11,
        oldLogs: 0,
        oldLogBytes: 0,
        excessLogs: 0,
        excessLogBytes: 0,
        excessArtifacts: 0,
        excessArtifactBytes: 0,
      },
    ])
    expect(await run(coordinator, limits)).toEqual({ pipelines: [2, 0], jobs: [2, 7], artifacts: [1, 11] })
    expect(await remaining(coordinator)).toEqual([running, young])
    expect(await database.selectFrom('removed_job').selectAll().execute()).toEqual([])
    await expect(access(log)).rejects.toThrow('ENOENT')
    expect(await due(coordinator, limits)).toEqual([])
  })

  testOnOne('a pipeline stays while one of its child pipelines runs, and goes with it', async () => {
    const coordinator = await openCoordinator(open)
    const { database } = coordinator
    const parent = await addPipeline(coordinator, { status: 'failed', age: 31 })
    const child = await addPipeline(coordinator, { status: 'running', age: 31 })
    await database
      .updateTable('pipeline')
      .set({ source: 'parent_pipeline' })
      .where('id', '=', child)
      .execute()
    const { id: jobId } = await jobOf(coordinator, parent)
    await database
      .insertInto('downstream_pipeline')
      .values({
        pipeline_id: child,
        kind: 'child',
        upstream_job_id: jobId,
        upstream_pipeline_id: parent,
        upstream_project_id: coordinator.project.id,
        depth: 1,
        root_id: parent,
        hierarchy_root_id: parent,
        created_at: Date.now(),
      })
      .execute()
    expect(await run(coordinator, { pipelineDays: 30 })).toEqual({})
    expect(await remaining(coordinator)).toEqual([parent, child])
    await database.updateTable('pipeline').set({ status: 'success' }).where('id', '=', child).execute()
    expect(await run(coordinator, { pipelineDays: 30 })).toMatchObject({ pipelines: [2, 0] })
    expect(await remaining(coordinator)).toEqual([])
  })
})

test('logs are deleted when their jobs ended long ago, and counted', async () => {
  const coordinator = await openCoordinator()
  const { database, traces } = coordinator
  const files: string[] = []
  for (const age of [31, 29]) {
    const job = await jobOf(coordinator, await addPipeline(coordinator, { status: 'success' }))
    const { log } = traces.files(job)
    await mkdir(dirname(log), { recursive: true })
    await writeFile(log, '7 bytes')
    await database
      .updateTable('job')
      .set({ trace_bytes: 7, finished_at: Date.now() - age * DAY })
      .where('id', '=', job.id)
      .execute()
    files.push(log)
  }
  const went: unknown[] = []
  const deps = {
    ...coordinator,
    mayGoOn: () => Promise.resolve(true),
    onRetired: (retired: unknown) => void went.push(retired),
  }
  const pace = { logDays: 30, jobsPerSecond: 1e9 }
  const { signal } = new AbortController()
  expect(await due(coordinator, { logDays: 30 })).toMatchObject([
    { oldLogs: 1, oldLogBytes: 7, pipelines: 0 },
  ])
  await deleteOldLogs(deps, pace, signal)
  await deleteOldLogs(deps, pace, signal)
  expect(went).toEqual([{ kind: 'logs', projectId: coordinator.project.id, number: 1, bytes: 7 }])
  expect(await due(coordinator, { logDays: 30 })).toEqual([])
  await expect(access(files[0] ?? '')).rejects.toThrow('ENOENT')
  await access(files[1] ?? '')
  const rows = await database.selectFrom('job').select('trace_bytes').orderBy('id').execute()
  expect(rows).toEqual([{ trace_bytes: null }, { trace_bytes: 7 }])
})

test('the own limit of a project applies if it is lower than that of the installation', async () => {
  const coordinator = await openCoordinator()
  const { database } = coordinator
  await addPipeline(coordinator, { status: 'failed', age: 4 })
  const young = await addPipeline(coordinator, { status: 'failed', age: 1 })
  await database
    .updateTable('project')
    .set({ ci_delete_pipelines_in_seconds: (3 * DAY) / 1000 })
    .execute()
  expect(await due(coordinator, {})).toMatchObject([{ pipelines: 1 }])
  await run(coordinator, {})
  expect(await remaining(coordinator)).toEqual([young])
  await database
    .updateTable('project')
    .set({ ci_delete_pipelines_in_seconds: (9 * DAY) / 1000 })
    .execute()
  await database
    .updateTable('pipeline')
    .set({ created_at: Date.now() - 5 * DAY })
    .execute()
  await run(coordinator, { pipelineDays: 6 })
  expect(await remaining(coordinator)).toEqual([young])
  await run(coordinator, { pipelineDays: 4 })
  expect(await remaining(coordinator)).toEqual([])
})

test('the newest pipelines of a project stay', async () => {
  const coordinator = await openCoordinator()
  await addPipeline(coordinator, { status: 'failed' })
  const second = await addPipeline(coordinator, { status: 'failed' })
  const third = await addPipeline(coordinator, { status: 'failed' })
  await run(coordinator, { pipelineCount: 2 })
  expect(await remaining(coordinator)).toEqual([second, third])
})

test('the latest success of the default branch and of protected refs stays', async () => {
  const coordinator = await openCoordinator()
  const add = (ref: string, isProtected = false) =>
    addPipeline(coordinator, { status: 'success', age: 31, ref, isProtected })
  await add('main')
  await add('stable', true)
  const main = await add('main')
  const stable = await add('stable', true)
  await add('topic')
  await coordinator.database.deleteFrom('artifact_lock').execute()
  await addPipeline(coordinator, { status: 'failed', age: 31, ref: 'main' })
  await run(coordinator, { pipelineDays: 30 })
  expect(await remaining(coordinator)).toEqual([main, stable])
})

test('the latest artifacts, current deployments and releases keep their pipelines', async () => {
  const coordinator = await openCoordinator()
  const { database, project, admin } = coordinator
  const created_at = Date.now()
  const [locked, deployed, released] = [
    await addPipeline(coordinator, { status: 'failed', age: 31 }),
    await addPipeline(coordinator, { status: 'failed', age: 31 }),
    await addPipeline(coordinator, { status: 'failed', age: 31 }),
  ]
  await database
    .insertInto('artifact_lock')
    .values({ project_id: project.id, ref: 'topic', tag: false, pipeline_id: locked })
    .execute()
  const { id: artifact } = await database
    .insertInto('job_artifact')
    .values({
      project_id: project.id,
      job_id: (await jobOf(coordinator, locked)).id,
      file_type: 'archive',
      file_format: 'zip',
      filename: 'a.zip',
      size: 1,
      sha256: '0'.repeat(64),
      blob_key: 'a',
      expire_at: null,
      created_at,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const environment = await database
    .insertInto('environment')
    .values({
      project_id: project.id,
      name: 'production',
      slug: 'production',
      tier: 'production',
      created_at,
      updated_at: created_at,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await database
    .insertInto('deployment')
    .values({
      iid: 1,
      project_id: project.id,
      environment_id: environment.id,
      job_id: (await jobOf(coordinator, deployed)).id,
      user_id: admin.id,
      ref: 'topic',
      tag: false,
      sha: 'a'.repeat(40),
      status: 'success',
      created_at,
      updated_at: created_at,
    })
    .execute()
  await database
    .insertInto('release')
    .values({
      project_id: project.id,
      tag: 'v1',
      name: 'v1',
      sha: 'a'.repeat(40),
      author_id: admin.id,
      job_id: (await jobOf(coordinator, released)).id,
      created_at,
      updated_at: created_at,
      released_at: created_at,
    })
    .execute()
  await run(coordinator, { pipelineDays: 30 })
  expect(await remaining(coordinator)).toEqual([locked, deployed, released])
  await database.updateTable('job_artifact').set({ blob_key: '' }).where('id', '=', artifact).execute()
  await database.updateTable('environment').set({ state: 'stopped' }).execute()
  await run(coordinator, { pipelineDays: 30 })
  expect(await remaining(coordinator)).toEqual([released])
})

test('a coordinator that is no longer in charge ends, and the next run goes on', async () => {
  const coordinator = await openCoordinator()
  await addPipeline(coordinator, { status: 'failed', age: 31 })
  let asked = 0
  await run(coordinator, { pipelineDays: 30 }, () => ++asked < 2)
  expect(await remaining(coordinator)).toHaveLength(1)
  await run(coordinator, { pipelineDays: 30 })
  expect(await remaining(coordinator)).toEqual([])
})
