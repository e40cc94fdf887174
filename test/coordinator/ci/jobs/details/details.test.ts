import { expect, test } from 'vitest'

import { playJob } from '../../../../../src/coordinator/ci/engine/retry/play.js'
import { retryJob } from '../../../../../src/coordinator/ci/engine/retry/retry.js'
import { describeDetails } from '../../../../../src/coordinator/ci/jobs/details/describe-details.js'
import type { JobDetails, JobWaiting } from '../../../../../src/coordinator/ci/jobs/details/schema.js'
import type { JobRow, PipelineRow } from '../../../../../src/coordinator/database/tables/pipeline-rows.js'
import { copyRow } from '../../../../bench/list-rows.mjs'
import { describeOnEachDatabase } from '../../../../support/databases.js'
import {
  fail,
  jobNamed,
  openEngine,
  pipelineOf,
  succeed,
  takeJob,
  type TestEngine,
} from '../../engine/support/engine.js'
import { addRunner } from '../../engine/support/records.js'

function detailsOf(engine: TestEngine, job: JobRow, withRunners = false): Promise<JobDetails> {
  return describeDetails(engine.deps, job, { withRunners, withValues: false })
}

async function waitingOf(
  engine: TestEngine,
  pipeline: PipelineRow,
  name: string,
  withRunners = false,
): Promise<JobWaiting | null> {
  const details = await detailsOf(engine, await jobNamed(engine, pipeline, name), withRunners)
  return details.waiting
}

async function contact({ deps }: TestEngine): Promise<void> {
  await deps.database.updateTable('runner').set({ contacted_at: Date.now() }).execute()
}

describeOnEachDatabase('the details of a job', (open, testOnOne) => {
  testOnOne('have attempts, needs, environment, resource, variables and limits', async () => {
    const engine = await openEngine(open)
    const pipeline = await pipelineOf(
      engine,
      `
stages: [build, deploy]
build: { stage: build, script: x }
lint: { stage: build, script: x }
deploy:
  stage: deploy
  script: x
  needs: [build]
  when: manual
  manual_confirmation: Sure?
  environment: { name: production, url: "https://app.example" }
  resource_group: production
  timeout: 10 minutes
  artifacts: { paths: [x], access: developer }
check: { stage: deploy, script: x, needs: [deploy, { job: missing, optional: true }] }
`,
    )
    await fail(engine, await takeJob(engine, 'build'))
    const first = await jobNamed(engine, pipeline, 'build')
    await retryJob(engine.deps, first, engine.user)
    await succeed(engine, await takeJob(engine, 'lint'))
    await succeed(engine, await takeJob(engine, 'build'))
    const build = await jobNamed(engine, pipeline, 'build')
    const deploy = await jobNamed(engine, pipeline, 'deploy')
    const variables = [
      { key: 'REGION', value: 'eu' },
      { key: 'DRY', value: 'no' },
    ]
    await playJob(engine.deps, deploy, engine.user, { variables })
    const check = await jobNamed(engine, pipeline, 'check')
    const linked = ({ id, name }: JobRow, status: string) => ({ id, name, status })

    expect(await detailsOf(engine, build)).toMatchObject({
      kind: 'job',
      when: 'on_success',
      actions: ['retry'],
      exit_code: null,
      timeout: engine.project.build_timeout,
      debug_trace: false,
      artifacts_access: 'all',
      attempts: [
        { id: first.id, status: 'failed', failure_reason: 'script_failure' },
        { id: build.id, status: 'success', failure_reason: null, duration: expect.any(Number) as number },
      ],
      needs: [],
      needed_by: [linked(deploy, 'pending')],
      environment: null,
      resource_group: null,
      variables: [],
      is_held: false,
      manual_confirmation: null,
      waiting: null,
    })
    expect(await detailsOf(engine, { ...first, retried: true })).toMatchObject({ exit_code: 1, actions: [] })
    expect(await detailsOf(engine, await jobNamed(engine, pipeline, 'deploy'))).toMatchObject({
      timeout: 600,
      artifacts_access: 'developer',
      needs: [linked(build, 'success')],
      needed_by: [linked(check, 'created')],
      environment: { id: deploy.environment_id, name: 'production', action: 'start' },
      resource_group: 'production',
      variables: ['REGION', 'DRY'],
      variable_values: null,
      manual_confirmation: 'Sure?',
    })
    const played = await jobNamed(engine, pipeline, 'deploy')
    const forDevelopers = await describeDetails(engine.deps, played, { withRunners: false, withValues: true })
    expect(forDevelopers.variable_values).toEqual(variables)
  })

  testOnOne('say when artifacts expired, and which ref keeps them longer', async () => {
    const engine = await openEngine(open)
    const { database } = engine.deps
    const pipeline = await pipelineOf(engine, 'build: { script: x }')
    const taken = await takeJob(engine, 'build')
    const ofArtifacts = async () => {
      const details = await detailsOf(engine, taken.job)
      return [details.artifacts_expired_at, details.artifacts_kept_for]
    }
    expect(await ofArtifacts()).toEqual([null, null])
    await database
      .insertInto('job_artifact')
      .values({
        project_id: engine.project.id,
        job_id: taken.job.id,
        file_type: 'archive',
        file_format: 'zip',
        filename: 'a.zip',
        size: 1,
        sha256: '',
        blob_key: 'key',
        created_at: 0,
        expire_at: 1000,
      })
      .execute()
    expect(await ofArtifacts()).toEqual([null, null])
    await succeed(engine, taken)
    expect(await ofArtifacts()).toEqual([null, pipeline.ref])
    await database.updateTable('job_artifact').set({ blob_key: '' }).execute()
    expect(await ofArtifacts()).toEqual(['1970-01-01T00:00:01.000Z', null])
  })

  test('expect the median of the last ten successes on the ref', async () => {
    const engine = await openEngine(open)
    const { database } = engine.deps
    const pipeline = await pipelineOf(engine, 'a: { script: x }')
    const job = await jobNamed(engine, pipeline, 'a')
    expect((await detailsOf(engine, job)).expected).toBeNull()
    const successes = (count: number, changes: Record<string, string>) =>
      copyRow(database, 'job', { id: String(job.id) }, count, {
        status: `'success'`,
        started_at: '1000',
        ...changes,
      })
    await successes(2, { id: '2000 + i', finished_at: '1000 + 30000 * (i + 1)' })
    await successes(1, { id: '3000', finished_at: '900000', ref: `'topic'` })
    await successes(1, { id: '3001', finished_at: '900000', name: `'b'` })
    expect((await detailsOf(engine, job)).expected).toBe(45)
    await successes(10, { id: '4000 + i', finished_at: '1000 + 10000 * (i + 1)' })
    expect((await detailsOf(engine, job)).expected).toBe(55)
  })
})

describeOnEachDatabase('a job waits', (open, testOnOne) => {
  testOnOne('for jobs that it needs, and for earlier stages', async () => {
    const engine = await openEngine(open)
    const pipeline = await pipelineOf(
      engine,
      `
stages: [build, gate, deploy]
a: { stage: build, script: x }
b: { stage: build, script: x }
optional: { stage: build, script: x, when: manual }
gate: { stage: gate, script: x, when: manual, allow_failure: false }
late: { stage: gate, script: x, needs: [a, b] }
deploy: { stage: deploy, script: x }
`,
    )
    expect(await waitingOf(engine, pipeline, 'late')).toEqual({
      reason: 'needs',
      message: 'Waits for 2 jobs that it needs.',
      help: null,
      queue_position: null,
      blocked_by: [
        { id: (await jobNamed(engine, pipeline, 'a')).id, name: 'a', status: 'pending' },
        { id: (await jobNamed(engine, pipeline, 'b')).id, name: 'b', status: 'pending' },
      ],
    })
    await succeed(engine, await takeJob(engine, 'a'))
    expect(await waitingOf(engine, pipeline, 'late')).toMatchObject({
      message: 'Waits for the job "b", which it needs.',
    })
    expect(await waitingOf(engine, pipeline, 'deploy')).toMatchObject({
      reason: 'stage',
      message: 'Waits for 3 jobs of earlier stages.',
    })
    await succeed(engine, await takeJob(engine, 'b'))
    await succeed(engine, await takeJob(engine, 'late'))
    expect(await waitingOf(engine, pipeline, 'deploy')).toMatchObject({
      message: 'Waits for the job "gate" of an earlier stage.',
      help: 'Start the manual job "gate".',
    })
    expect(await waitingOf(engine, pipeline, 'gate')).toMatchObject({ reason: 'manual', blocked_by: [] })
  })

  testOnOne('for its time', async () => {
    const engine = await openEngine(open)
    const pipeline = await pipelineOf(engine, 'a: { script: x, when: delayed, start_in: 1 hour }')
    const { scheduled_at } = await jobNamed(engine, pipeline, 'a')
    expect(await waitingOf(engine, pipeline, 'a')).toMatchObject({
      reason: 'delayed',
      message: `Starts at ${new Date(scheduled_at!).toISOString()}.`,
    })
  })

  testOnOne('for a resource, behind the jobs before it', async () => {
    const engine = await openEngine(open)
    const file = 'a: { script: x, resource_group: one }'
    const holder = await jobNamed(engine, await pipelineOf(engine, file), 'a')
    const second = await pipelineOf(engine, file)
    const third = await pipelineOf(engine, file)
    expect(await waitingOf(engine, second, 'a')).toEqual({
      reason: 'resource_group',
      message: `Waits for the resource group "one", which job ${holder.id} has.`,
      help: null,
      queue_position: 1,
      blocked_by: [{ id: holder.id, name: 'a', status: 'pending' }],
    })
    expect(await waitingOf(engine, third, 'a')).toMatchObject({ queue_position: 2 })
  })

  test('for one of the runners that may take it', async () => {
    const engine = await openEngine(open)
    const { database } = engine.deps
    const mine = await addRunner(database, {
      type: 'project_type',
      projects: [engine.project],
      tags: ['docker', 'big'],
    })
    const [group = ''] = engine.project.full_path.split('/')
    const paused = await addRunner(database, { group, tags: ['docker'], active: false })
    const away = await addRunner(database, { tags: ['docker'] })
    await addRunner(database, { tags: ['docker'], protectedOnly: true })
    await addRunner(database, { group: 'elsewhere', tags: ['docker'] })
    await contact(engine)
    await database.updateTable('runner').set({ contacted_at: 1 }).where('id', '=', away.id).execute()
    const pipeline = await pipelineOf(
      engine,
      'first: { script: x, tags: [docker] }\na: { script: x, tags: [docker] }',
    )
    await takeJob(engine, 'first', mine)
    const waiting = await waitingOf(engine, pipeline, 'a', true)
    expect(waiting).toMatchObject({
      reason: 'busy',
      message: 'The only suitable runner is busy; the job is number 1 in the queue.',
      help: 'Add a runner, or let a runner run more jobs at the same time.',
      queue_position: 1,
      matching: { total: 3, online: 1, busy: 1, paused: 1, offline: 1 },
      blocked_by: [],
    })
    const runners = waiting?.runners?.map(({ id, status, running_jobs }) => [id, status, running_jobs])
    expect(runners).toEqual([
      [mine.id, 'online', 1],
      [paused.id, 'paused', 0],
      [away.id, 'offline', 0],
    ])
    expect(await waitingOf(engine, pipeline, 'a')).not.toHaveProperty('runners')
  })

  test('for a tag that no runner has, and names the nearest runners', async () => {
    const engine = await openEngine(open)
    const { database } = engine.deps
    await addRunner(database, { tags: ['linux'] })
    await addRunner(database, { tags: ['linux', 'big'] })
    await addRunner(database, { group: 'elsewhere', tags: ['linux', 'big', 'gpu'] })
    await contact(engine)
    const pipeline = await pipelineOf(engine, 'a: { script: x, tags: [linux, big, gpu] }')
    expect(await waitingOf(engine, pipeline, 'a')).toMatchObject({
      reason: 'missing_tags',
      help: 'Give a runner the tag "gpu", or change the tags of the job.',
      queue_position: null,
      missing_tags: ['gpu'],
      nearest: { tags: ['linux', 'big'], missing_tags: ['gpu'] },
      matching: { total: 0, online: 0, busy: 0, paused: 0, offline: 0 },
    })
  })

  testOnOne.each([
    ['paused', { active: false }, 'Resume one of the runners.'],
    [
      'protected',
      { protectedOnly: true },
      'Protect the branch or tag, or let a runner run jobs of unprotected refs.',
    ],
    [
      'untagged',
      { runUntagged: false },
      'Let a runner run untagged jobs, or give the job the tags of a runner.',
    ],
  ] as const)('because its runners are no use: %s', async (reason, traits, help) => {
    const engine = await openEngine(open)
    const { database } = engine.deps
    await database.deleteFrom('runner').execute()
    await addRunner(database, traits)
    await contact(engine)
    const pipeline = await pipelineOf(engine, 'a: { script: x }')
    expect(await waitingOf(engine, pipeline, 'a')).toMatchObject({ reason, help })
  })

  testOnOne('because no runner serves its project', async () => {
    const engine = await openEngine(open)
    const { database } = engine.deps
    await database.updateTable('project').set({ shared_runners_enabled: false }).execute()
    const pipeline = await pipelineOf(engine, 'a: { script: x }', {
      project: { ...engine.project, shared_runners_enabled: false },
    })
    expect(await waitingOf(engine, pipeline, 'a')).toMatchObject({
      reason: 'no_runner',
      help: 'Register a runner for the project, or enable instance runners.',
    })
  })

  testOnOne('no more once it runs, and for the downstream pipeline of a trigger job', async () => {
    const engine = await openEngine(open)
    const pipeline = await pipelineOf(
      engine,
      'a: { script: x }\nstart: { trigger: { include: [{ local: child.yml }] } }',
    )
    await takeJob(engine, 'a')
    expect(await waitingOf(engine, pipeline, 'a')).toBeNull()
    expect(await waitingOf(engine, pipeline, 'start')).toMatchObject({ reason: 'downstream' })
  })
})
