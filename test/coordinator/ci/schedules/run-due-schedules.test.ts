import type { Insertable } from 'kysely'
import { expect, test } from 'vitest'

import { ScheduleTimer } from '../../../../src/coordinator/background/schedule-timer.js'
import type { EngineDeps } from '../../../../src/coordinator/ci/engine/engine-deps.js'
import { markOutputs } from '../../../../src/coordinator/ci/engine/job-store.js'
import { buildPayload } from '../../../../src/coordinator/ci/jobs/payload/build-payload.js'
import { loadPayloadFacts } from '../../../../src/coordinator/ci/jobs/payload/load-facts.js'
import { runDueSchedules } from '../../../../src/coordinator/ci/schedules/run-due-schedules.js'
import { Artifacts } from '../../../../src/coordinator/ci/storage/artifacts/artifacts.js'
import { FolderBlobStore } from '../../../../src/coordinator/ci/storage/folder-blob-store.js'
import { TokenSigner } from '../../../../src/coordinator/crypto/token-signer.js'
import type { PipelineScheduleTable } from '../../../../src/coordinator/database/tables/pipeline-schedules.js'
import { deferred } from '../../../../src/lib/deferred.js'
import { describeOnEachDatabase } from '../../../support/databases.js'
import { tempDir } from '../../../support/temp-dir.js'
import {
  concurrentCoordinator,
  jobsOf,
  openEngine,
  takeJob,
  type TestEngine,
} from '../engine/support/engine.js'
import { expectConsistentStore } from '../engine/support/invariants.js'

const HOUR = 3600 * 1000
/** When the hour of every schedule here is full. */
const DUE = Date.parse('2026-06-01T12:00:00Z')
const CI_FILE = 'job: { script: [a] }'
const SLOW = 'b'.repeat(40)

async function addSchedule(
  { deps, project, user }: TestEngine,
  changes: Partial<Insertable<PipelineScheduleTable>> = {},
): Promise<number> {
  const { id } = await deps.database
    .insertInto('pipeline_schedule')
    .values({
      project_id: project.id,
      owner_id: user.id,
      description: 'every hour',
      ref: 'refs/heads/main',
      cron: '0 * * * *',
      cron_timezone: 'UTC',
      next_run_at: DUE,
      active: true,
      created_at: DUE - HOUR,
      updated_at: DUE - HOUR,
      ...changes,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

function run(engine: EngineDeps, now: number, level = 30): Promise<number | undefined> {
  return runDueSchedules({ ...engine, outside: { ...engine.outside, levelOf: async () => level } }, now)
}

function scheduleOf({ deps }: TestEngine, id: number) {
  return deps.database
    .selectFrom('pipeline_schedule')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
}

function pipelines({ deps }: TestEngine) {
  return deps.database.selectFrom('pipeline').selectAll().orderBy('id').execute()
}

describeOnEachDatabase('a pipeline schedule', (open, testOnOne) => {
  testOnOne('makes a pipeline at its time, not before, and knows its next one', async () => {
    const engine = await openEngine(open)
    engine.repositories.ciFile = CI_FILE
    const id = await addSchedule(engine)
    expect(await run(engine.deps, DUE - 1)).toBe(DUE)
    expect(await pipelines(engine)).toEqual([])
    expect(await run(engine.deps, DUE)).toBe(DUE + HOUR)
    expect(await pipelines(engine)).toMatchObject([
      {
        source: 'schedule',
        ref: 'main',
        status: 'pending',
        pipeline_schedule_id: id,
        user_id: engine.user.id,
      },
    ])
    expect(await scheduleOf(engine, id)).toMatchObject({ next_run_at: DUE + HOUR, last_failure: null })
    await expectConsistentStore(engine)
  })

  testOnOne('runs once for all the times that it missed', async () => {
    const engine = await openEngine(open)
    engine.repositories.ciFile = CI_FILE
    const id = await addSchedule(engine)
    expect(await run(engine.deps, DUE + 5 * HOUR + 1)).toBe(DUE + 6 * HOUR)
    expect(await pipelines(engine)).toHaveLength(1)
    expect((await scheduleOf(engine, id)).next_run_at).toBe(DUE + 6 * HOUR)
  })

  test('runs once when two coordinators wake for it at the same time', async () => {
    const engine = await openEngine(open)
    engine.repositories.ciFile = CI_FILE
    await addSchedule(engine)
    await addSchedule(engine, { description: 'another' })
    const other = concurrentCoordinator(engine)
    await Promise.all([run(engine.deps, DUE), run(other, DUE)])
    const made = await pipelines(engine)
    expect(new Set(made.map(({ pipeline_schedule_id }) => pipeline_schedule_id)).size).toBe(2)
    expect(made).toHaveLength(2)
    await expectConsistentStore(engine)
  })

  test('is run again from the beginning when the run broke off', async () => {
    const engine = await openEngine(open)
    engine.repositories.ciFile = CI_FILE
    const id = await addSchedule(engine)
    const createPipelineRef = engine.repositories.createPipelineRef.bind(engine.repositories)
    engine.repositories.createPipelineRef = () => Promise.reject(new Error('the disk is full'))
    await run(engine.deps, DUE)
    expect(await pipelines(engine)).toEqual([])
    expect((await scheduleOf(engine, id)).next_run_at).toBe(DUE)
    engine.repositories.createPipelineRef = createPipelineRef
    await run(engine.deps, DUE + 1)
    expect(await pipelines(engine)).toHaveLength(1)
  })

  testOnOne('notes why a run made no pipeline, and forgets it with the next that does', async () => {
    const engine = await openEngine(open)
    const id = await addSchedule(engine)
    await run(engine.deps, DUE)
    expect(await scheduleOf(engine, id)).toMatchObject({
      active: true,
      next_run_at: DUE + HOUR,
      last_failure: 'Missing CI config file',
    })
    engine.repositories.ciFile = 'job: { script: [a], nonsense: 1 }'
    await run(engine.deps, DUE + HOUR)
    expect((await scheduleOf(engine, id)).last_failure).toContain('nonsense')
    engine.repositories.missingRefs.add('refs/heads/main')
    await run(engine.deps, DUE + 2 * HOUR)
    expect((await scheduleOf(engine, id)).last_failure).toBe('Reference not found')
    expect(await pipelines(engine)).toEqual([])
    engine.repositories.missingRefs.clear()
    engine.repositories.ciFile = CI_FILE
    await run(engine.deps, DUE + 3 * HOUR)
    expect((await scheduleOf(engine, id)).last_failure).toBeNull()
    expect(await pipelines(engine)).toHaveLength(1)
  })

  testOnOne.each([
    {
      what: 'is blocked',
      blocked: true,
      level: 50,
      push: 40,
      reason: 'The user is blocked',
    },
    { what: 'is no member', level: 0, push: 40, reason: 'Insufficient permissions to create a new pipeline' },
    {
      what: 'is a reporter',
      level: 20,
      push: 40,
      reason: 'Insufficient permissions to create a new pipeline',
    },
    { what: 'may not push there', level: 30, push: 40, reason: "permission to run a pipeline on 'main'" },
    { what: 'may not, as nobody may', level: 50, push: 0, reason: "permission to run a pipeline on 'main'" },
  ])('is deactivated when its owner $what', async ({ blocked, level, push, reason }) => {
    const engine = await openEngine(open)
    const { database } = engine.deps
    engine.repositories.ciFile = CI_FILE
    await protect(engine, push)
    if (blocked) await database.updateTable('user').set({ state: 'blocked' }).execute()
    const id = await addSchedule(engine)
    expect(await run(engine.deps, DUE, level)).toBeUndefined()
    expect(await pipelines(engine)).toEqual([])
    const schedule = await scheduleOf(engine, id)
    expect(schedule.active).toBe(false)
    expect(schedule.last_failure).toContain(reason)
  })

  testOnOne.each([
    {
      what: 'is blocked',
      lose: ({ deps }: TestEngine) => deps.database.updateTable('user').set({ state: 'blocked' }).execute(),
      reason: 'The user is blocked',
    },
    {
      what: 'may not push there any more',
      lose: (engine: TestEngine) => protect(engine, 50),
      reason: "permission to run a pipeline on 'main'",
    },
    {
      what: 'is no developer any more',
      lose: async (engine: TestEngine) => setLevel(engine, 20),
      reason: 'Insufficient permissions to create a new pipeline',
    },
  ])('is deactivated when its owner $what while its file is read', async ({ lose, reason }) => {
    const engine = await openEngine(open)
    setLevel(engine, 40)
    const id = await addSchedule(engine)
    whileFileIsRead(engine, () => lose(engine))
    await runDueSchedules(engine.deps, DUE)
    expect(await pipelines(engine)).toEqual([])
    const schedule = await scheduleOf(engine, id)
    expect(schedule.active).toBe(false)
    expect(schedule.last_failure).toContain(reason)
  })

  testOnOne('misses its run when the project is archived while its file is read', async () => {
    const engine = await openEngine(open)
    const { database } = engine.deps
    const id = await addSchedule(engine)
    whileFileIsRead(engine, () => database.updateTable('project').set({ archived: true }).execute())
    await run(engine.deps, DUE)
    expect(await pipelines(engine)).toEqual([])
    expect(await scheduleOf(engine, id)).toMatchObject({
      active: true,
      next_run_at: DUE + HOUR,
      last_failure: 'The project is archived',
    })
  })

  testOnOne('makes a pipeline of the protection that its branch has when it is stored', async () => {
    const engine = await openEngine(open)
    await addSchedule(engine)
    whileFileIsRead(engine, () => protect(engine, 40))
    await run(engine.deps, DUE, 40)
    expect(await pipelines(engine)).toMatchObject([{ protected: true }])
    const unprotect = () => engine.deps.database.deleteFrom('protected_ref').execute()
    whileFileIsRead(engine, unprotect)
    await run(engine.deps, DUE + HOUR, 40)
    expect(await pipelines(engine)).toMatchObject([{ protected: true }, { protected: false }])
    await expectConsistentStore(engine)
  })

  testOnOne(
    'makes no pipeline when it is changed while its file is read, but with its next run',
    async () => {
      const engine = await openEngine(open)
      const { database } = engine.deps
      const id = await addSchedule(engine)
      const changes = { ref: 'refs/heads/other', updated_at: DUE }
      whileFileIsRead(engine, () => database.updateTable('pipeline_schedule').set(changes).execute())
      await run(engine.deps, DUE)
      expect(await pipelines(engine)).toEqual([])
      expect((await scheduleOf(engine, id)).next_run_at).toBe(DUE)
      await run(engine.deps, DUE + 1)
      expect(await pipelines(engine)).toMatchObject([{ ref: 'other' }])
    },
  )

  testOnOne('runs on a protected branch for an owner who may push there', async () => {
    const engine = await openEngine(open)
    engine.repositories.ciFile = CI_FILE
    await protect(engine, 40)
    await addSchedule(engine)
    await run(engine.deps, DUE, 40)
    expect(await pipelines(engine)).toMatchObject([{ protected: true }])
  })

  testOnOne('does nothing while it is inactive, or its project archived', async () => {
    const engine = await openEngine(open)
    engine.repositories.ciFile = CI_FILE
    await addSchedule(engine, { active: false })
    expect(await run(engine.deps, DUE)).toBeUndefined()
    const id = await addSchedule(engine)
    await engine.deps.database.updateTable('project').set({ archived: true }).execute()
    await run(engine.deps, DUE)
    expect(await pipelines(engine)).toEqual([])
    expect((await scheduleOf(engine, id)).last_failure).toBe('The project is archived')
  })

  testOnOne('gives its variables and its description to rules and to jobs', async () => {
    const engine = await openEngine(open)
    const { deps } = engine
    engine.repositories.ciFile = `
job:
  script: [a]
  rules: [{ if: '$KEY == "value" && $CI_PIPELINE_SCHEDULE_DESCRIPTION == "every hour" && $CI_PIPELINE_SOURCE == "schedule"' }]
other: { script: [a], rules: [{ if: '$KEY != "value"' }] }
`
    const schedule_id = await addSchedule(engine)
    await deps.database
      .insertInto('pipeline_schedule_variable')
      .values({
        schedule_id,
        key: 'KEY',
        value_encrypted: deps.secrets.encrypt('value'),
        variable_type: 'env_var',
      })
      .execute()
    await run(deps, DUE)
    const { job, token } = await takeJob(engine, 'job')
    const [pipeline] = await pipelines(engine)
    const artifacts = new Artifacts(
      deps.database,
      new FolderBlobStore(await tempDir()),
      async () => 1000,
      markOutputs,
    )
    const tokens = new TokenSigner({ ...deps, ...deps.server })
    const facts = await loadPayloadFacts(
      { ...deps, artifacts, tokens, server: deps.server },
      { job, token, pipeline: pipeline!, project: engine.project, runner: engine.runner, together: [job.id] },
    )
    const { variables } = buildPayload(facts)
    expect(variables).toContainEqual(expect.objectContaining({ key: 'KEY', value: 'value' }))
    expect(variables).toContainEqual(
      expect.objectContaining({ key: 'CI_PIPELINE_SCHEDULE_DESCRIPTION', value: 'every hour' }),
    )
  })

  testOnOne('gives its inputs to the file', async () => {
    const engine = await openEngine(open)
    engine.repositories.ciFile = `
spec: { inputs: { names: { type: array }, count: { type: number } } }
---
job:
  script: $[[ inputs.names ]]
  parallel: $[[ inputs.count ]]
`
    await addSchedule(engine, { inputs: JSON.stringify({ names: ['a', 'b'], count: 2 }) })
    await run(engine.deps, DUE)
    const [pipeline] = await pipelines(engine)
    const jobs = await jobsOf(engine, pipeline!)
    expect(jobs.map(({ name, options }) => [name, options.script])).toEqual([
      ['job 1/2', ['a', 'b']],
      ['job 2/2', ['a', 'b']],
    ])
  })

  testOnOne('does not keep others waiting while its file is slow to come', async () => {
    const engine = await openEngine(open)
    const slow = deferred<string>()
    const readFile = engine.repositories.readFile.bind(engine.repositories)
    engine.repositories.ciFile = CI_FILE
    engine.repositories.readFile = (projectId, sha, path) =>
      sha === SLOW ? slow.promise : readFile(projectId, sha, path)
    const resolveRef = engine.repositories.resolveRef.bind(engine.repositories)
    engine.repositories.resolveRef = async (projectId, ref) => {
      const found = await resolveRef(projectId, ref)
      return found && { ...found, sha: ref === 'refs/heads/slow' ? SLOW : found.sha }
    }
    const made = deferred<undefined>()
    engine.repositories.createPipelineRef = async (_projectId, _pipelineId, sha) => {
      if (sha !== SLOW) made.resolve(undefined)
    }
    await addSchedule(engine, { ref: 'refs/heads/slow' })
    await addSchedule(engine)
    const running = run(engine.deps, DUE)
    await made.promise
    slow.resolve(CI_FILE)
    await running
    expect(await pipelines(engine)).toHaveLength(2)
  })

  testOnOne('leaves its pipelines when it is deleted', async () => {
    const engine = await openEngine(open)
    engine.repositories.ciFile = CI_FILE
    await addSchedule(engine)
    await run(engine.deps, DUE)
    await engine.deps.database.deleteFrom('pipeline_schedule').execute()
    expect(await pipelines(engine)).toMatchObject([{ source: 'schedule', pipeline_schedule_id: null }])
  })

  test('is run by the timer as soon as it is announced', async () => {
    const engine = await openEngine(open)
    engine.repositories.ciFile = CI_FILE
    const ran = deferred<undefined>()
    const lookedOnce = deferred<undefined>()
    const timer = new ScheduleTimer({
      of: 'Pipeline schedules',
      logger: engine.deps.logger,
      startDue: async () => {
        const next = await run(engine.deps, Date.now())
        lookedOnce.resolve(undefined)
        if ((await pipelines(engine)).length > 0) ran.resolve(undefined)
        return next
      },
    })
    const stop = new AbortController()
    const running = timer.run(stop.signal)
    await lookedOnce.promise
    const next_run_at = Date.now() + 50
    await addSchedule(engine, { next_run_at })
    timer.schedule(next_run_at)
    await ran.promise
    stop.abort()
    await running
  })
})

/** The level of every user. Other tests share what the engine asks. */
function setLevel({ deps }: TestEngine, level: number): void {
  const { outside } = deps
  deps.outside = { ...outside, levelOf: async () => level }
}

/** Lets something happen once, after the rights were checked and before the pipeline is stored. */
function whileFileIsRead(engine: TestEngine, happen: () => Promise<unknown>): void {
  const { repositories } = engine
  repositories.ciFile = CI_FILE
  const readFile = repositories.readFile.bind(repositories)
  repositories.readFile = async (...args) => {
    repositories.readFile = readFile
    await happen()
    return readFile(...args)
  }
}

async function protect({ deps, project }: TestEngine, level: number): Promise<void> {
  await deps.database
    .insertInto('protected_ref')
    .values({
      project_id: project.id,
      kind: 'branch',
      name: 'main',
      push_access_level: level,
      merge_access_level: level,
      created_at: DUE,
    })
    .execute()
}
