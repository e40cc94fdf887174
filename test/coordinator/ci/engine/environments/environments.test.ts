import { expect, test } from 'vitest'

import { environmentSlug } from '../../../../../src/ci-config/environment-slug.js'
import { VariableCollection } from '../../../../../src/ci-config/variables/variable-collection.js'
import { startGrantedJobs } from '../../../../../src/coordinator/ci/engine/advance/resource-groups/start-granted-jobs.js'
import { addressAfter } from '../../../../../src/coordinator/ci/engine/deployments/after-job.js'
import type { DeploymentRow } from '../../../../../src/coordinator/ci/engine/deployments/deployment-store.js'
import { ensureEnvironment } from '../../../../../src/coordinator/ci/engine/deployments/ensure-environments.js'
import type { EnvironmentRow } from '../../../../../src/coordinator/ci/engine/deployments/environment-store.js'
import { stopDueEnvironments } from '../../../../../src/coordinator/ci/engine/environments/stop-due-environments.js'
import { stopEnvironment } from '../../../../../src/coordinator/ci/engine/environments/stop-environment.js'
import {
  stopEnvironmentsOfBranch,
  stopEnvironmentsOfMergeRequest,
} from '../../../../../src/coordinator/ci/engine/environments/stop-environments-of-refs.js'
import { cancelPipeline } from '../../../../../src/coordinator/ci/engine/retry/cancel.js'
import { playJob } from '../../../../../src/coordinator/ci/engine/retry/play.js'
import { retryPipeline } from '../../../../../src/coordinator/ci/engine/retry/retry-pipeline.js'
import { retryJob } from '../../../../../src/coordinator/ci/engine/retry/retry.js'
import type { PipelineRow } from '../../../../../src/coordinator/database/tables/pipeline-rows.js'
import { inTransaction } from '../../../../../src/coordinator/database/transaction.js'
import { describeOnDatabase, describeOnEachDatabase, openPostgres } from '../../../../support/databases.js'
import { testAtNight } from '../../../../support/nightly.js'
import {
  concurrentCoordinator,
  fail,
  jobNamed,
  jobsOf,
  nextJob,
  openEngine,
  pipelineOf,
  reread,
  secondCoordinator,
  statusesOf,
  succeed,
  takeJob,
  type TestEngine,
} from '../support/engine.js'
import { expectConsistentStore } from '../support/invariants.js'
import { addMergeRequest, pipelineOfMergeRequest } from '../support/merge-requests.js'

const HOUR = 3600 * 1000
const OLD = '1'.repeat(40)
const NEW = '2'.repeat(40)

function environments({ deps }: TestEngine): Promise<EnvironmentRow[]> {
  return deps.database.selectFrom('environment').selectAll().orderBy('id').execute()
}

async function requireEnvironment(engine: TestEngine): Promise<EnvironmentRow> {
  const [environment] = await environments(engine)
  return environment!
}

function deployments({ deps }: TestEngine): Promise<DeploymentRow[]> {
  return deps.database.selectFrom('deployment').selectAll().orderBy('id').execute()
}

async function deploymentStatuses(engine: TestEngine): Promise<string[]> {
  return (await deployments(engine)).map(({ status }) => status)
}

describeOnEachDatabase('an environment', (open, testOnOne) => {
  test('is made once where several pipelines name it at the same time', async () => {
    const { deps, project, user } = await openEngine(open)
    for (let round = 0; round < 10; round++) {
      const name = `review-${round}`
      const ids = await Promise.all(
        Array.from({ length: 6 }, () =>
          inTransaction(deps.database, (tx) =>
            ensureEnvironment(tx, { projectId: project.id, userId: user.id }, name),
          ),
        ),
      )
      expect(new Set(ids).size).toBe(1)
    }
  })

  testOnOne('is not made where another one has its slug', async () => {
    const { deps, project, user } = await openEngine(open)
    const ensure = (name: string) =>
      inTransaction(deps.database, (tx) =>
        ensureEnvironment(tx, { projectId: project.id, userId: user.id }, name),
      )
    expect(await ensure('staging')).toBeGreaterThan(0)
    expect(await ensure('staging-')).toBeUndefined()
  })

  testOnOne('is made with the pipeline, for every action, under the name that variables make', async () => {
    const engine = await openEngine(open)
    await pipelineOf(
      engine,
      `
a: { script: x, environment: production }
b: { script: x, environment: { name: "review/$CI_COMMIT_REF_NAME", action: prepare } }
c: { script: x, environment: { name: Customer, deployment_tier: testing, action: verify } }
d: { script: x, environment: { name: production, action: access } }
`,
    )
    expect(await environments(engine)).toMatchObject([
      { name: 'production', slug: 'production', tier: 'production', state: 'available', external_url: null },
      { name: 'review/main', slug: environmentSlug('review/main'), tier: 'development' },
      { name: 'Customer', slug: environmentSlug('Customer'), tier: 'testing' },
    ])
    await pipelineOf(engine, 'a: { script: x, environment: { name: production, deployment_tier: other } }')
    expect(await environments(engine)).toHaveLength(3)
    expect((await requireEnvironment(engine)).tier).toBe('production')
  })
})

// The code checks names and action keywords, not SQL: PostgreSQL is for the nightly run.
describeOnDatabase('an environment', (open) => {
  test.each([
    ['is empty once expanded', '"$NOBODY_SET_THIS"'],
    ['has characters that no name has', '"$BAD"'],
    ['ends with a slash', '"review/$NOBODY_SET_THIS"'],
    ['is too long', '"$LONG"'],
    ['has a tier that is none', '{ name: ok, deployment_tier: "$BAD" }'],
  ])('whose name %s fails its job, and the pipeline is there', async (_, written) => {
    const engine = await openEngine(open)
    const pipeline = await pipelineOf(
      engine,
      `
variables: { BAD: "a:b", LONG: ${'x'.repeat(256)} }
stages: [one, two]
deploy: { stage: one, script: x, retry: 2, environment: ${written} }
other: { stage: one, script: x }
after: { stage: two, script: x }
`,
    )
    expect(await jobNamed(engine, pipeline, 'deploy')).toMatchObject({
      status: 'failed',
      failure_reason: 'environment_creation_failure',
    })
    expect(await jobsOf(engine, pipeline)).toHaveLength(3)
    await succeed(engine, await takeJob(engine, 'other'))
    expect(await statusesOf(engine, pipeline)).toMatchObject({
      pipeline: 'failed',
      jobs: { after: 'skipped' },
    })
    expect(await environments(engine)).toEqual([])
    await expectConsistentStore(engine)
  })
})

describeOnEachDatabase('a deployment', (open, testOnOne) => {
  test('follows its job from the turn on, and the environment has it last when it succeeds', async () => {
    const engine = await openEngine(open)
    const pipeline = await pipelineOf(
      engine,
      `
stages: [build, deploy]
build: { stage: build, script: x }
deploy: { stage: deploy, script: x, environment: { name: production, url: "https://$CI_COMMIT_REF_NAME.example", on_stop: stop } }
stop: { stage: deploy, script: x, when: manual, environment: { name: production, action: stop } }
`,
    )
    expect(await deployments(engine)).toEqual([])
    await succeed(engine, await takeJob(engine, 'build'))
    const { id } = await jobNamed(engine, pipeline, 'deploy')
    const { ref, sha } = pipeline
    expect(await deployments(engine)).toMatchObject([
      {
        iid: 1,
        job_id: id,
        status: 'created',
        on_stop: 'stop',
        ref,
        sha,
        tag: false,
        user_id: engine.user.id,
      },
    ])
    const dispatched = await takeJob(engine, 'deploy')
    expect(await deploymentStatuses(engine)).toEqual(['running'])
    await succeed(engine, dispatched)
    const [deployment] = await deployments(engine)
    expect(deployment).toMatchObject({ status: 'success' })
    expect(deployment?.finished_at).toBe((await jobNamed(engine, pipeline, 'deploy')).finished_at)
    expect((await jobNamed(engine, pipeline, 'stop')).status).toBe('manual')
    await expectConsistentStore(engine)
  })

  testAtNight('is of one attempt: another one gets a deployment of its own, counted on', async () => {
    const engine = await openEngine(open)
    const pipeline = await pipelineOf(engine, 'deploy: { script: x, retry: 1, environment: production }')
    await fail(engine, await takeJob(engine, 'deploy'))
    expect(await deploymentStatuses(engine)).toEqual(['failed', 'created'])
    await succeed(engine, await takeJob(engine, 'deploy'))
    await retryJob(engine.deps, await jobNamed(engine, pipeline, 'deploy'), engine.user)
    await cancelPipeline(engine.deps, pipeline)
    expect(await deploymentStatuses(engine)).toEqual(['failed', 'success', 'canceled'])
    expect((await deployments(engine)).map(({ iid }) => iid)).toEqual([1, 2, 3])
    await expectConsistentStore(engine)
  })

  testOnOne(
    'of a manual job is blocked until it is played; of one that does not come to run it is skipped',
    async () => {
      const engine = await openEngine(open)
      const pipeline = await pipelineOf(
        engine,
        `
stages: [one, two]
hand: { stage: one, script: x, when: manual, environment: a }
broken: { stage: one, script: x }
late: { stage: two, script: x, environment: b }
`,
      )
      expect(await deploymentStatuses(engine)).toEqual(['blocked'])
      const broken = await takeJob(engine, 'broken')
      await playJob(engine.deps, await jobNamed(engine, pipeline, 'hand'), engine.user)
      expect(await deploymentStatuses(engine)).toEqual(['blocked'])
      await takeJob(engine, 'hand').then((job) => succeed(engine, job))
      await fail(engine, broken)
      expect(await deploymentStatuses(engine)).toEqual(['success', 'skipped'])
      await retryPipeline(engine.deps, pipeline, engine.user)
      await succeed(engine, await takeJob(engine, 'broken'))
      expect(await deploymentStatuses(engine)).toEqual(['success', 'created'])
    },
  )

  testOnOne(
    'is not made for jobs that only have to do with an environment, nor for those whose turn never comes',
    async () => {
      const engine = await openEngine(open)
      const pipeline = await pipelineOf(
        engine,
        `
stages: [one, two]
verify: { stage: one, script: x, environment: { name: a, action: verify } }
deploy: { stage: two, script: x, environment: a }
`,
      )
      await cancelPipeline(engine.deps, pipeline)
      expect(await deployments(engine)).toEqual([])
    },
  )

  testAtNight(
    'gives the environment its address when it succeeds, expanded with the variables of the job',
    async () => {
      const engine = await openEngine(open)
      engine.deps.jobVariables = async (job) => {
        expect(job.name).toBe('deploy')
        return VariableCollection.of([{ key: 'HOST', value: 'found-out.example' }])
      }
      const pipeline = await pipelineOf(
        engine,
        'deploy: { script: x, environment: { name: review, url: "https://$HOST/x", deployment_tier: other } }',
      )
      expect(await addressAfter(engine.deps, await jobNamed(engine, pipeline, 'deploy'))).toBe(
        'https://found-out.example/x',
      )
      await succeed(engine, await takeJob(engine, 'deploy'))
      expect(await requireEnvironment(engine)).toMatchObject({
        external_url: 'https://found-out.example/x',
        tier: 'other',
        state: 'available',
      })
    },
  )

  testOnOne.each(['javascript:alert(1)', 'no address'])(
    'does not give the environment the address %s',
    async (url) => {
      const engine = await openEngine(open)
      await pipelineOf(engine, `deploy: { script: x, environment: { name: a, url: "${url}" } }`)
      await succeed(engine, await takeJob(engine, 'deploy'))
      expect((await requireEnvironment(engine)).external_url).toBeNull()
    },
  )
})

const DEPLOY = 'deploy: { script: x, environment: production }'

/** An older and a newer commit, each with a pipeline that is about to deploy. */
async function twoPipelines(engine: TestEngine, file: string): Promise<[PipelineRow, PipelineRow]> {
  const older = await pipelineOf(engine, file, { sha: OLD, ref: 'a' })
  return [older, await pipelineOf(engine, file, { sha: NEW, ref: 'b' })]
}

/** Takes jobs until the one of this pipeline comes. */
async function takeOf(engine: TestEngine, { id }: PipelineRow) {
  for (;;) {
    const dispatched = await nextJob(engine)
    if (!dispatched) throw new Error(`No job of pipeline ${id} is pending`)
    if (dispatched.pipeline.id === id) return dispatched
  }
}

describeOnDatabase('a job that would deploy older code than is there', (open) => {
  const STAGED = `
stages: [build, deploy]
build: { stage: build, script: x }
deploy: { stage: deploy, script: x, retry: 2, environment: production }
`

  test('fails when its turn comes, and is not retried', async () => {
    const engine = await openEngine(open)
    const [older, newer] = await twoPipelines(engine, STAGED)
    const oldBuild = await takeOf(engine, older)
    await succeed(engine, await takeOf(engine, newer))
    await succeed(engine, await takeOf(engine, newer))
    await succeed(engine, oldBuild)
    expect(await jobNamed(engine, older, 'deploy')).toMatchObject({
      status: 'failed',
      failure_reason: 'failed_outdated_deployment_job',
    })
    expect((await reread(engine, older)).status).toBe('failed')
    expect(await deploymentStatuses(engine)).toEqual(['success', 'failed'])
    const { pipeline: again } = await retryPipeline(engine.deps, older, engine.user)
    expect(again.status).toBe('failed')
    expect(await retryJob(engine.deps, await jobNamed(engine, older, 'deploy'), engine.user)).toBe(
      'not-retryable',
    )
    await expectConsistentStore(engine)
  })

  test('fails instead of being dispatched when newer code came in between', async () => {
    const engine = await openEngine(open)
    const file = 'deploy: { script: x, environment: production, resource_group: production }'
    const holder = await pipelineOf(engine, file, { sha: OLD, ref: 'x' })
    const [older, newer] = await twoPipelines(engine, file)
    await engine.deps.database.updateTable('resource_group').set({ process_mode: 'newest_first' }).execute()
    await succeed(engine, await takeOf(engine, holder))
    await succeed(engine, await takeOf(engine, newer))
    expect((await jobNamed(engine, older, 'deploy')).status).toBe('pending')
    expect(await nextJob(engine)).toBeUndefined()
    expect(await jobNamed(engine, older, 'deploy')).toMatchObject({
      failure_reason: 'failed_outdated_deployment_job',
    })
  })

  testAtNight(
    'runs when the newer one has not succeeded, is of the same commit, or of another environment',
    async () => {
      const engine = await openEngine(open)
      const [older, newer] = await twoPipelines(engine, STAGED)
      const same = await pipelineOf(engine, STAGED, { sha: OLD, ref: 'c' })
      const elsewhere = await pipelineOf(engine, STAGED.replace('production', 'staging'), {
        sha: NEW,
        ref: 'd',
      })
      const oldBuild = await takeOf(engine, older)
      await succeed(engine, await takeOf(engine, newer))
      await succeed(engine, await takeOf(engine, same))
      await succeed(engine, await takeOf(engine, elsewhere))
      for (const pipeline of [newer, same, elsewhere]) {
        const deploy = await takeOf(engine, pipeline).catch(() => undefined)
        if (deploy && pipeline === newer) await fail(engine, deploy)
        else if (deploy) await succeed(engine, deploy)
      }
      await succeed(engine, oldBuild)
      expect((await jobNamed(engine, older, 'deploy')).status).toBe('pending')
    },
  )

  test('runs where the project does not mind', async () => {
    const engine = await openEngine(open)
    await engine.deps.database.updateTable('project').set({ ci_forward_deployment_enabled: false }).execute()
    const [older, newer] = await twoPipelines(engine, STAGED)
    const oldBuild = await takeOf(engine, older)
    await succeed(engine, await takeOf(engine, newer))
    await succeed(engine, await takeOf(engine, newer))
    await succeed(engine, oldBuild)
    expect((await jobNamed(engine, older, 'deploy')).status).toBe('pending')
  })

  test.each([
    [true, 'pending'],
    [false, 'success'],
  ])(
    'may be repeated when it had succeeded, if the project allows rollbacks: %s',
    async (allowed, status) => {
      const engine = await openEngine(open)
      const changes = { ci_forward_deployment_rollback_allowed: allowed }
      await engine.deps.database.updateTable('project').set(changes).execute()
      const older = await pipelineOf(engine, DEPLOY, { sha: OLD, ref: 'a' })
      await succeed(engine, await takeOf(engine, older))
      const newer = await pipelineOf(engine, DEPLOY, { sha: NEW, ref: 'b' })
      await succeed(engine, await takeOf(engine, newer))
      await retryJob(engine.deps, await jobNamed(engine, older, 'deploy'), engine.user)
      expect((await jobNamed(engine, older, 'deploy')).status).toBe(status)
    },
  )
})

const REVIEW = `
stages: [deploy, test, clean]
deploy: { stage: deploy, script: x, environment: { name: "review/$CI_COMMIT_REF_NAME", on_stop: stop, auto_stop_in: 1 day } }
test: { stage: test, script: x, tags: [nobody] }
stop: { stage: clean, script: x, when: manual, environment: { name: "review/$CI_COMMIT_REF_NAME", action: stop } }
`

/** Stops it in the name of the user of the engine; the environment as it is then. */
async function stopped({ deps, user }: TestEngine, id: number, options: { force?: boolean } = {}) {
  const outcome = await stopEnvironment(deps, id, { userId: user.id, ...options })
  if (outcome.kind !== 'done') throw new Error(outcome.kind)
  return outcome.environment
}

async function deployed(engine: TestEngine, file = REVIEW): Promise<[PipelineRow, EnvironmentRow]> {
  const pipeline = await pipelineOf(engine, file)
  await succeed(engine, await takeJob(engine, 'deploy'))
  return [pipeline, await requireEnvironment(engine)]
}

describeOnDatabase('stopping an environment', (open) => {
  test('plays the job that stops it, whatever that waits for, and is over when it has succeeded', async () => {
    const engine = await openEngine(open)
    const [pipeline, { id }] = await deployed(engine)
    expect((await jobNamed(engine, pipeline, 'stop')).status).toBe('created')
    expect(await stopped(engine, id)).toMatchObject({
      state: 'stopping',
      auto_stop_at: null,
    })
    await succeed(engine, await takeJob(engine, 'stop'))
    expect(await requireEnvironment(engine)).toMatchObject({ state: 'stopped' })
    expect(await deploymentStatuses(engine)).toEqual(['success'])
    await expectConsistentStore(engine)
    await deployed(engine)
    expect(await requireEnvironment(engine)).toMatchObject({ state: 'available' })
  })

  testAtNight('goes on until a stop job succeeds: one that failed is repeated', async () => {
    const engine = await openEngine(open)
    const [pipeline, { id }] = await deployed(engine)
    await stopped(engine, id)
    await stopped(engine, id)
    await fail(engine, await takeJob(engine, 'stop'))
    expect((await requireEnvironment(engine)).state).toBe('stopping')
    expect(await nextJob(engine)).toBeUndefined()
    await stopped(engine, id)
    await succeed(engine, await takeJob(engine, 'stop'))
    expect((await requireEnvironment(engine)).state).toBe('stopped')
    expect((await jobsOf(engine, pipeline)).filter(({ name }) => name === 'stop')).toHaveLength(2)
  })

  testAtNight('can be forced, without its jobs', async () => {
    const engine = await openEngine(open)
    const [pipeline, { id }] = await deployed(engine)
    expect(await stopped(engine, id, { force: true })).toMatchObject({ state: 'stopped' })
    expect((await jobNamed(engine, pipeline, 'stop')).status).toBe('created')
  })

  test('is over at once when no job does it', async () => {
    const engine = await openEngine(open)
    const [, { id }] = await deployed(engine, DEPLOY)
    expect(await stopped(engine, id)).toMatchObject({ state: 'stopped' })
  })

  testAtNight('waits for all jobs that stop it', async () => {
    const engine = await openEngine(open)
    const [, { id }] = await deployed(
      engine,
      `
deploy: { script: x, environment: { name: a, on_stop: one } }
more: { script: x, environment: { name: a, on_stop: two } }
one: { script: x, when: manual, environment: { name: a, action: stop } }
two: { script: x, when: manual, environment: { name: a, action: stop } }
`,
    )
    await succeed(engine, await takeJob(engine, 'more'))
    await stopped(engine, id)
    const [one, two] = [await takeJob(engine, 'one'), await takeJob(engine, 'two')]
    await succeed(engine, one)
    expect((await requireEnvironment(engine)).state).toBe('stopping')
    await fail(engine, two)
    await stopped(engine, id)
    await succeed(engine, await takeJob(engine, 'two'))
    expect((await requireEnvironment(engine)).state).toBe('stopped')
  })

  testAtNight('is what the stop job does when it is played by itself', async () => {
    const engine = await openEngine(open)
    const [pipeline] = await deployed(engine, REVIEW.replace('test: {', '.test: {'))
    await playJob(engine.deps, await jobNamed(engine, pipeline, 'stop'), engine.user)
    await succeed(engine, await takeJob(engine, 'stop'))
    expect((await requireEnvironment(engine)).state).toBe('stopped')
  })

  test('follows when the branch is deleted that was deployed last', async () => {
    const engine = await openEngine(open)
    await deployed(engine)
    const deleted = { projectId: engine.project.id, userId: engine.user.id }
    await stopEnvironmentsOfBranch(engine.deps, { ...deleted, branch: 'other' })
    expect((await requireEnvironment(engine)).state).toBe('available')
    await stopEnvironmentsOfBranch(engine.deps, { ...deleted, branch: 'main' })
    expect((await requireEnvironment(engine)).state).toBe('stopping')
    await takeJob(engine, 'stop')
  })

  testAtNight('follows when the merge request is closed whose pipeline was deployed last', async () => {
    const engine = await openEngine(open)
    const mergeRequest = await addMergeRequest(engine)
    const file = `
review: { script: x, environment: { name: review/$CI_COMMIT_REF_SLUG, on_stop: stop }, rules: [{ when: always }] }
stop: { script: x, environment: { name: review/$CI_COMMIT_REF_SLUG, action: stop }, rules: [{ when: manual }] }
`
    await pipelineOfMergeRequest(engine, mergeRequest, file)
    await succeed(engine, await takeJob(engine, 'review'))
    expect(await requireEnvironment(engine)).toMatchObject({ name: 'review/feature', state: 'available' })
    const closed = { mergeRequestId: mergeRequest.id, userId: engine.user.id }
    await stopEnvironmentsOfMergeRequest(engine.deps, closed)
    expect((await requireEnvironment(engine)).state).toBe('available')
    await close(engine, mergeRequest)
    await stopEnvironmentsOfMergeRequest(engine.deps, { ...closed, mergeRequestId: mergeRequest.id + 1 })
    expect((await requireEnvironment(engine)).state).toBe('available')
    await stopEnvironmentsOfMergeRequest(engine.deps, closed)
    expect((await requireEnvironment(engine)).state).toBe('stopping')
    await takeJob(engine, 'stop')
  })

  testAtNight(
    'does not follow when others have deployed since the pipeline of the merge request',
    async () => {
      const engine = await openEngine(open)
      const mergeRequest = await addMergeRequest(engine)
      const file = 'deploy: { script: x, environment: staging, rules: [{ when: always }] }'
      await pipelineOfMergeRequest(engine, mergeRequest, file)
      await succeed(engine, await takeJob(engine, 'deploy'))
      await pipelineOf(engine, file)
      await succeed(engine, await takeJob(engine, 'deploy'))
      await close(engine, mergeRequest)
      const closed = { mergeRequestId: mergeRequest.id, userId: engine.user.id }
      await stopEnvironmentsOfMergeRequest(engine.deps, closed)
      expect((await requireEnvironment(engine)).state).toBe('available')
    },
  )
})

async function close({ deps }: TestEngine, { id }: { id: number }): Promise<void> {
  await deps.database.updateTable('merge_request').set({ state: 'closed' }).where('id', '=', id).execute()
}

describeOnDatabase('what goes with a project', (open) => {
  test('are its environments, deployments and resource groups, and a pipeline leaves its deployments behind', async () => {
    const engine = await openEngine(open)
    const { database } = engine.deps
    const [pipeline] = await deployed(engine, DEPLOY.replace('}', ', resource_group: production }'))
    await pipelineOf(engine, DEPLOY.replace('}', ', resource_group: production }'))
    await database.deleteFrom('pipeline').where('id', '=', pipeline.id).execute()
    expect(await deployments(engine)).toMatchObject([
      { job_id: null, status: 'success' },
      { status: 'created' },
    ])
    await database.deleteFrom('project').where('id', '=', engine.project.id).execute()
    for (const table of [
      'environment',
      'deployment',
      'deployment_counter',
      'resource_group',
      'job',
    ] as const) {
      expect(await database.selectFrom(table).selectAll().execute()).toEqual([])
    }
  })
})

describeOnEachDatabase('auto_stop_in', (open) => {
  test('stops the environment that long after its last deployment, by one of several coordinators', async () => {
    const engine = await openEngine(open)
    const scheduled: number[] = []
    engine.deps.notifications.on('environmentStopScheduled', (at) => scheduled.push(at))
    const before = Date.now()
    const [pipeline, { auto_stop_at }] = await deployed(engine)
    expect(auto_stop_at).toBeGreaterThanOrEqual(before + 24 * HOUR)
    expect(scheduled).toEqual([auto_stop_at])
    expect(await stopDueEnvironments(engine.deps, auto_stop_at! - 1)).toBe(auto_stop_at)
    expect((await requireEnvironment(engine)).state).toBe('available')
    const coordinators = [engine.deps, concurrentCoordinator(engine)]
    await Promise.all(coordinators.map((deps) => stopDueEnvironments(deps, auto_stop_at!)))
    expect((await requireEnvironment(engine)).state).toBe('stopping')
    await succeed(engine, await takeJob(engine, 'stop'))
    expect((await jobsOf(engine, pipeline)).filter(({ name }) => name === 'stop')).toHaveLength(1)
    expect(await stopDueEnvironments(engine.deps, Date.now() + 48 * HOUR)).toBeUndefined()
    await expectConsistentStore(engine)
  })
})

describeOnDatabase('auto_stop_in', (open) => {
  test.each([
    ['start', 'auto_stop_in: 2 days', 48],
    ['start', 'auto_stop_in: never', null],
    ['start', 'auto_stop_in: "$DAYS days"', 72],
    ['start', 'deployment_tier: other', 24],
    ['prepare', 'auto_stop_in: 2 days', 48],
    ['access', 'auto_stop_in: 2 days', 48],
    ['verify', 'auto_stop_in: 2 days', 24],
  ])('of a later job with action %s that says %s leaves %s hours', async (action, written, hours) => {
    const engine = await openEngine(open)
    const first = 'deploy: { script: x, environment: { name: a, auto_stop_in: 1 day } }'
    const before = Date.now()
    await deployed(engine, first)
    await deployed(
      engine,
      `deploy: { script: x, variables: { DAYS: "3" }, environment: { name: a, action: ${action}, ${written} } }`,
    )
    const { auto_stop_at } = await requireEnvironment(engine)
    if (hours === null) return expect(auto_stop_at).toBeNull()
    expect(auto_stop_at).toBeGreaterThanOrEqual(before + hours * HOUR)
    expect(auto_stop_at).toBeLessThanOrEqual(Date.now() + hours * HOUR)
  })

  test('lets an environment live that is to be stopped by jobs only, and has none', async () => {
    const engine = await openEngine(open)
    await deployed(engine, 'deploy: { script: x, environment: { name: a, auto_stop_in: 1 day } }')
    await engine.deps.database.updateTable('environment').set({ auto_stop_setting: 'with_action' }).execute()
    await stopDueEnvironments(engine.deps, Date.now() + 25 * HOUR)
    const { id, ...environment } = await requireEnvironment(engine)
    expect(environment).toMatchObject({ state: 'available', auto_stop_at: null })
    expect(await stopped(engine, id)).toMatchObject({ state: 'stopped' })
  })
})

testAtNight(
  'two coordinators on one PostgreSQL count the deployments and keep the environments right',
  async () => {
    const engine = await openEngine(openPostgres)
    const coordinators = [engine.deps, secondCoordinator(engine)]
    for (let n = 0; n < 8; n++) {
      await pipelineOf(
        engine,
        `
one: { script: x, environment: production, resource_group: ${n % 2 ? 'x' : 'y'} }
two: { script: x, environment: staging, resource_group: ${n % 2 ? 'y' : 'x'} }
three: { script: x, needs: [one], environment: production, resource_group: x }
`,
      )
    }
    const work = async (deps: (typeof coordinators)[number]): Promise<void> => {
      const coordinator = { ...engine, deps }
      for (let idle = 0; idle < 3;) {
        const dispatched = await nextJob(coordinator)
        if (dispatched) await succeed(coordinator, dispatched)
        else idle++
      }
    }
    await Promise.all(coordinators.map(work))
    await startGrantedJobs(engine.deps)
    await work(engine.deps)
    await expectConsistentStore(engine)
    const made = await deployments(engine)
    expect(made.map(({ iid }) => iid).sort((a, b) => a - b)).toEqual(made.map((_, index) => index + 1))
    expect(new Set(made.map(({ status }) => status))).toEqual(new Set(['success']))
    expect(made).toHaveLength(24)
  },
)
