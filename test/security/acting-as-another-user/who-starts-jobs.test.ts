import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { isChange } from '../../../src/coordinator/access/access.js'
import { createPipelineForTrain } from '../../../src/coordinator/ci/engine/create/create-for-merge-train.js'
import { stopDueEnvironments } from '../../../src/coordinator/ci/engine/environments/stop-due-environments.js'
import {
  stopEnvironmentsOfBranch,
  stopEnvironmentsOfMergeRequest,
} from '../../../src/coordinator/ci/engine/environments/stop-environments-of-refs.js'
import type { MergeRequestRow } from '../../../src/coordinator/ci/engine/merge-request-store.js'
import { runDueSchedules } from '../../../src/coordinator/ci/schedules/run-due-schedules.js'
import { createPipelineOfVersion } from '../../../src/coordinator/planning/merge-requests/pipelines/create-pipeline.js'
import { tokenDigest } from '../../../src/lib/tokens.js'
import type { JobPayload } from '../../../src/protocol/job-payload.js'
import { addMergeRequest } from '../../coordinator/ci/engine/support/merge-requests.js'
import { protectBranch } from '../../coordinator/ci/engine/support/records.js'
import { declaredOperations } from '../../coordinator/support/declared-operations.js'
import type { Person } from '../../coordinator/support/test-app.js'
import { IS_NIGHTLY, sampled } from '../../support/nightly.js'
import { STARTS_JOBS, STARTS_NO_JOBS, WITHOUT_PIPELINES } from './routes-that-start-jobs.js'
import {
  type AttackScene,
  openAttackScene,
  type RoleName,
  ROLES,
  type Started,
  startedBy,
  takeNext,
} from './scene.js'

/** Where jobs come to run. Environments other than `production` are not protected. */
const PLACES = {
  'an unprotected ref': { ref: 'mine', environment: 'review' },
  'a protected ref': { ref: 'main', environment: 'review' },
  'a protected environment': { ref: 'mine', environment: 'production' },
} as const
type PlaceName = keyof typeof PLACES
type Place = (typeof PLACES)[PlaceName]

/** Creates all objects as the maintainer; the result calls the route as another user. */
type Route = (scene: AttackScene, place: Place) => Promise<(as: Person) => Promise<unknown>>

const work = ({ environment }: Place, more = '') =>
  `work: { script: x${more}, environment: { name: ${environment}, action: verify } }`
const deployed = ({ environment: name }: Place) => `
work: { script: x, environment: { name: ${name}, on_stop: stop } }
stop: { script: x, when: manual, environment: { name: ${name}, action: stop } }
`

const OF_MERGE_REQUEST = 'POST /projects/:id/merge_requests/:merge_request_iid/pipelines'
const OF_MERGE_TRAIN = 'the result of a merge train'

/** Every route that starts jobs on behalf of a user; API operations by their names. */
const ROUTES: Record<string, Route> = {
  'POST /projects/:id/pipeline': async (scene, place) => {
    scene.coordinator.repositories.ciFile = work(place)
    return (as) => scene.call(as, 'POST /pipeline', { ref: place.ref })
  },
  'POST /projects/:id/jobs/:job_id/retry': async (scene, place) => {
    const { jobId } = await pipelineOf(scene, place, work(place))
    return (as) => scene.call(as, `POST /jobs/${jobId}/retry`)
  },
  'POST /projects/:id/jobs/:job_id/play': async (scene, place) => {
    const { jobId } = await pipelineOf(scene, place, work(place, ', when: manual'))
    return (as) => scene.call(as, `POST /jobs/${jobId}/play`)
  },
  'POST /projects/:id/pipelines/:pipeline_id/retry': async (scene, place) => {
    const { pipelineId } = await pipelineOf(scene, place, work(place), 'failed')
    return (as) => scene.call(as, `POST /pipelines/${pipelineId}/retry`)
  },
  'a retry of given jobs': async (scene, place) => {
    const { pipelineId, jobId } = await pipelineOf(scene, place, work(place))
    return (as) => scene.call(as, `POST /pipelines/${pipelineId}/retry`, { jobs: [jobId] })
  },
  'a retry from a stage': async (scene, place) => {
    const { pipelineId } = await pipelineOf(scene, place, work(place))
    return (as) => scene.call(as, `POST /pipelines/${pipelineId}/retry`, { from_stage: 'test' })
  },
  'POST /projects/:id/pipelines/:pipeline_id/stages/:name/retry': async (scene, place) => {
    const { pipelineId } = await pipelineOf(scene, place, work(place), 'failed')
    return (as) => scene.call(as, `POST /pipelines/${pipelineId}/stages/test/retry`)
  },
  'POST /projects/:id/pipelines/:pipeline_id/stages/:name/play': async (scene, place) => {
    const { pipelineId } = await pipelineOf(scene, place, work(place, ', when: manual'))
    return (as) => scene.call(as, `POST /pipelines/${pipelineId}/stages/test/play`)
  },
  'POST /projects/:id/pipelines/:pipeline_id/play': async (scene, place) => {
    const { pipelineId } = await pipelineOf(scene, place, work(place, ', when: manual'))
    return (as) => scene.call(as, `POST /pipelines/${pipelineId}/play`)
  },
  [OF_MERGE_REQUEST]: async (scene, place) => {
    const mergeRequest = await mergeRequestFrom(scene, place)
    return (as) => scene.call(as, `POST /merge_requests/${mergeRequest.iid}/pipelines`)
  },
  'a version of a merge request with commits of the user': async (scene, place) => {
    const mergeRequest = await mergeRequestFrom(scene, place)
    return (as) => createPipelineOfVersion(scene.coordinator.engine, mergeRequest, as.id)
  },
  [OF_MERGE_TRAIN]: async (scene, place) => {
    const mergeRequest = await mergeRequestFrom(scene, place)
    const { engine, project, database } = scene.coordinator
    return async (as) => {
      const users = database.selectFrom('user').selectAll().where('id', '=', as.id)
      const user = await users.executeTakeFirstOrThrow()
      await createPipelineForTrain(engine, {
        mergeRequest,
        project,
        user,
        sha: mergeRequest.head_sha ?? '',
        isWanted: () => Promise.resolve(true),
        onStored: () => Promise.resolve(),
      })
    }
  },
  'POST /projects/:id/pipeline_schedules/:pipeline_schedule_id/play': async (scene, place) => {
    const id = await addSchedule(scene, place, scene.people.maintainer, null)
    return (as) => scene.call(as, `POST /pipeline_schedules/${id}/play`)
  },
  'a schedule of the user whose time has come': async (scene, place) => async (as) => {
    await addSchedule(scene, place, as, 1)
    await runDueSchedules(scene.coordinator.engine)
  },
  'POST /projects/:id/trigger/pipeline': async (scene, place) => async (as) => {
    const token = await addTrigger(scene, place, as)
    await scene.call(undefined, 'POST /trigger/pipeline', { token, ref: place.ref })
  },
  'POST /projects/:id/ref/:ref/trigger/pipeline': async (scene, place) => async (as) => {
    const token = await addTrigger(scene, place, as)
    await scene.call(undefined, `POST /ref/${place.ref}/trigger/pipeline`, { token })
  },
  'POST /projects/:id/services/:slug/trigger': (scene, place) => byChat(scene, place, 'services'),
  'POST /projects/:id/integrations/:slug/trigger': (scene, place) => byChat(scene, place, 'integrations'),
  'the token of a job of the user': async (scene, place) => {
    const { database } = scene.coordinator
    await scene.push(scene.people.maintainer, 'tokens', 'running: { script: x }')
    const running = await takeNext(scene)
    return async (as) => {
      await database.updateTable('job').set({ user_id: as.id }).where('id', '=', running!.id).execute()
      scene.coordinator.repositories.ciFile = work(place)
      await scene.call(undefined, 'POST /trigger/pipeline', { token: running!.token, ref: place.ref })
      await scene.runner.update(running!, 'success')
    }
  },
  'POST /projects/:id/environments/:environment_id/stop': async (scene, place) => {
    const id = await environmentOf(scene, place)
    return (as) => scene.call(as, `POST /environments/${id}/stop`)
  },
  'POST /projects/:id/environments/stop_stale': async (scene, place) => {
    const id = await environmentOf(scene, place)
    const { database } = scene.coordinator
    const [now, old] = [Date.now(), Date.now() - 30 * DAY]
    await database.updateTable('environment').set({ updated_at: old }).where('id', '=', id).execute()
    await database.updateTable('deployment').set({ created_at: old }).execute()
    const before = new Date(now - 8 * DAY).toISOString()
    return (as) => scene.call(as, 'POST /environments/stop_stale', { before })
  },
  'the deletion of the branch that was deployed': async (scene, place) => {
    await environmentOf(scene, place)
    const { engine, project } = scene.coordinator
    return (as) =>
      stopEnvironmentsOfBranch(engine, { projectId: project.id, branch: place.ref, userId: as.id })
  },
  'the end of the merge request that was deployed': async (scene, place) => {
    const mergeRequest = await mergeRequestFrom(scene, place)
    const { engine, repositories } = scene.coordinator
    const { maintainer } = scene.people
    repositories.ciFile = `${ALWAYS}\n${deployed(place)}`
    await createPipelineOfVersion(engine, mergeRequest, maintainer.id)
    await takeAll(scene)
    await closed(scene, mergeRequest)
    return (as) => stopEnvironmentsOfMergeRequest(engine, { mergeRequestId: mergeRequest.id, userId: as.id })
  },
  'the end of the time that a job of the user has set': async (scene, place) => {
    const id = await environmentOf(scene, place)
    const { database, engine } = scene.coordinator
    return async (as) => {
      const timer = { auto_stop_at: 1, auto_stop_user_id: as.id }
      await database.updateTable('environment').set(timer).where('id', '=', id).execute()
      await stopDueEnvironments(engine)
    }
  },
}

const DAY = 24 * 3600 * 1000
/** Of operations that take more than the right to run jobs. */
const FOR_MAINTAINERS = new Set(['POST /projects/:id/environments/stop_stale'])

/** A pipeline of a merge request runs without protected variables for users who may not write to its branches. */
const FOR_EVERY_REF = new Set([
  OF_MERGE_REQUEST,
  OF_MERGE_TRAIN,
  'a version of a merge request with commits of the user',
])

test.each(Object.keys(PLACES) as PlaceName[])(
  'jobs start on %s only for users who may run jobs there, in their own name, and get protected variables on protected refs alone',
  async (name) => {
    const place = PLACES[name]
    const scene = await openAttackScene()
    const protection = { name: 'production', deploy_access_levels: [{ access_level: 40 }] }
    await scene.call(scene.people.maintainer, 'POST /protected_environments', protection)
    const surprises: unknown[] = []
    for (const [route, prepare] of routesAt(name)) {
      for (const role of rolesAt(name, route)) {
        const use = await prepare(scene, place)
        await takeAll(scene)
        await use(scene.people[role])
        const started = (await takeAll(scene)).map(({ as, hasSecret }) => ({ as, hasSecret }))
        // A merge train tests the commits of others too.
        const hasSecret = place.ref === 'main' && role !== 'developer' && route !== OF_MERGE_TRAIN
        const expected = mayStart(route, role, name) ? [{ as: role, hasSecret }] : []
        if (JSON.stringify(started) !== JSON.stringify(expected)) surprises.push({ route, role, started })
      }
    }
    expect(surprises).toEqual([])
  },
)

/** Every route is tried on the protected ref, and outside of the nightly run only some at the other places. */
function routesAt(place: PlaceName): [string, Route][] {
  const routes = Object.entries(ROUTES)
  return place === 'a protected ref' ? routes : sampled(routes, 8)
}

/**
 * Protection only removes rights: users who cannot start jobs without it are not tried again. Outside of the nightly run,
 * only the highest role that may not start jobs is tried, and the lowest one that may.
 */
function rolesAt(place: PlaceName, route: string): RoleName[] {
  if (!IS_NIGHTLY) {
    const names = Object.keys(ROLES) as RoleName[]
    const lowest = names.findIndex((role) => mayStart(route, role, place))
    return names.slice(lowest - 1, lowest + 1)
  }
  if (place === 'an unprotected ref') return Object.keys(ROLES) as RoleName[]
  return ['developer', 'maintainer', 'owner', 'administrator']
}

function mayStart(route: string, role: RoleName, place: PlaceName): boolean {
  if (role === 'developer') {
    if (place === 'a protected ref') return FOR_EVERY_REF.has(route)
    return place === 'an unprotected ref' && !FOR_MAINTAINERS.has(route)
  }
  return role === 'maintainer' || role === 'owner' || role === 'administrator'
}

test('every operation that changes something is in the table of those that start jobs, or of those that do not', async () => {
  const changes = (await declaredOperations()).filter(isChange).map(({ method, path }) => `${method} ${path}`)
  const withoutJobs = STARTS_NO_JOBS.split('\n').flatMap((line) => line.trim() || [])
  const known = new Set([...Object.keys(STARTS_JOBS), ...withoutJobs])
  const elsewhere = (route: string) =>
    WITHOUT_PIPELINES.some((start) => `${route.split(' ')[1]}/`.startsWith(`${start}/`))
  expect(changes.filter((route) => !known.has(route) && !elsewhere(route))).toEqual([])
  expect([...known].filter((route) => !changes.includes(route))).toEqual([])
  const asking = Object.keys(STARTS_JOBS).filter((route) => STARTS_JOBS[route] === 'asks')
  expect(asking.filter((route) => !(route in ROUTES))).toEqual([])
})

/** The functions that bring jobs to run, with the files that call them. */
const CALLERS: Record<string, string[]> = {
  createPipeline: [
    'ci/engine/create/create-for-merge-request.ts',
    'ci/engine/create/create-for-merge-train.ts',
    'ci/engine/create/create-on-ref.ts',
    'hosting/repositories/push/handle-push.ts',
    'start/services/push-deps.ts',
    'ci/schedules/run-due-schedules.ts',
    'ci/schedules/schedules.ts',
  ],
  createPipelineForMergeRequest: ['planning/merge-requests/pipelines/create-pipeline.ts'],
  createPipelineForTrain: ['planning/merge-requests/trains/start-test.ts'],
  createPipelineOfVersion: ['start/services/merge-request-listeners.ts'],
  createPipelineOnRef: [
    'ci/pipelines/pipelines.ts',
    'ci/pipelines/trigger-pipeline.ts',
    'planning/chat-commands/run-command.ts',
  ],
  storePipeline: ['ci/engine/create/create-pipeline.ts', 'ci/engine/downstream/start-downstream.ts'],
  playJob: ['ci/jobs/action-operations.ts', 'planning/chat-commands/run-command.ts'],
  retryJob: ['ci/jobs/action-operations.ts'],
  retryPipeline: ['ci/pipelines/stage-actions.ts'],
  retryJobs: ['ci/pipelines/stage-actions.ts'],
  playPipeline: ['ci/pipelines/stage-actions.ts'],
  startManualJob: ['ci/engine/environments/stop-environment.ts', 'ci/engine/retry/play.ts'],
  startWaitingJobs: ['ci/engine/advance/start-manual-job.ts', 'ci/engine/retry/play-pipeline.ts'],
  startAgain: ['ci/engine/advance/start-manual-job.ts', 'ci/engine/retry/retry.ts'],
  startAttempt: [
    'ci/engine/advance/start-manual-job.ts',
    'ci/engine/jobs/end-job.ts',
    'ci/engine/retry/retry-pipeline.ts',
  ],
  cloneJob: ['ci/engine/retry/retry-pipeline.ts', 'ci/engine/jobs/start-attempt.ts'],
  enqueueJobs: [
    'ci/engine/advance/start-manual-job.ts',
    'ci/engine/advance/start-due-jobs.ts',
    'ci/engine/jobs/start-attempt.ts',
  ],
  markPending: [
    'ci/engine/advance/advance-pipeline.ts',
    'ci/engine/jobs/return-to-queue.ts',
    'ci/engine/jobs/enqueue-jobs.ts',
    'ci/engine/advance/resource-groups/assign-resource-groups.ts',
    'ci/engine/advance/resource-groups/start-granted-jobs.ts',
  ],
  stopEnvironment: [
    'ci/engine/environments/stop-due-environments.ts',
    'ci/engine/environments/stop-environments-of-refs.ts',
    'ci/environments/environments.ts',
  ],
  stopEnvironmentsOfBranch: ['start/services/push-deps.ts'],
  stopEnvironmentsOfMergeRequest: ['start/services/merge-request-listeners.ts'],
  stopDueEnvironments: ['start/services/ci.ts'],
}

test('the functions that bring jobs to run are called from the files of the table alone', async () => {
  const root = 'src/coordinator'
  const files = (await readdir(root, { recursive: true })).filter((file) => file.endsWith('.ts'))
  const found: Record<string, string[]> = Object.fromEntries(Object.keys(CALLERS).map((name) => [name, []]))
  const call = new RegExp(`(?<!function )\\b(${Object.keys(CALLERS).join('|')})\\(`, 'g')
  for (const file of files.toSorted()) {
    const text = await readFile(join(root, file), 'utf8')
    for (const name of new Set([...text.matchAll(call)].map(([, called = '']) => called)))
      found[name]?.push(file)
  }
  const expected = Object.fromEntries(Object.entries(CALLERS).map(([name, list]) => [name, list.toSorted()]))
  expect(found).toEqual(expected)
})

/** A pipeline of the maintainer whose job `work` has ended, unless it is manual. */
async function pipelineOf(
  scene: AttackScene,
  { ref }: Place,
  ciFile: string,
  state: 'success' | 'failed' = 'success',
): Promise<{ pipelineId: number; jobId: number }> {
  const { id } = await scene.push(scene.people.maintainer, ref, ciFile)
  await takeAll(scene, state)
  const job = await scene.coordinator.database
    .selectFrom('job')
    .select('id')
    .where('pipeline_id', '=', id)
    .orderBy('id')
    .executeTakeFirstOrThrow()
  return { pipelineId: id, jobId: job.id }
}

/** An environment that the maintainer has deployed to, with a job that stops it. Its id. */
async function environmentOf(scene: AttackScene, place: Place): Promise<number> {
  await pipelineOf(scene, place, deployed(place))
  const { id } = await scene.coordinator.database
    .selectFrom('environment')
    .select('id')
    .where('name', '=', place.environment)
    .executeTakeFirstOrThrow()
  return id
}

/** Jobs without rules run for merge requests too. */
const ALWAYS = 'workflow: { rules: [{ when: always }] }'

/** An open merge request from the branch into another protected one. */
async function mergeRequestFrom(
  { coordinator, people }: AttackScene,
  place: Place,
): Promise<MergeRequestRow> {
  const { database, engine, project, repositories } = coordinator
  await database
    .deleteFrom('protected_ref')
    .where('project_id', '=', project.id)
    .where('name', '=', 'stable')
    .execute()
  await protectBranch(database, project.id, 'stable')
  const user = await database
    .selectFrom('user')
    .selectAll()
    .where('id', '=', people.maintainer.id)
    .executeTakeFirstOrThrow()
  repositories.ciFile = `${ALWAYS}\n${work(place)}`
  const branches = { source_branch: place.ref, target_branch: 'stable' }
  await database.updateTable('merge_request').set({ state: 'closed' }).execute()
  return addMergeRequest({ deps: engine, project, user }, branches)
}

async function closed({ coordinator }: AttackScene, { id }: MergeRequestRow): Promise<void> {
  const rows = coordinator.database.updateTable('merge_request').where('id', '=', id)
  await rows.set({ state: 'closed' }).execute()
}

/** A chat user gives the command to run the job on the default branch. */
async function byChat(scene: AttackScene, place: Place, word: 'services' | 'integrations') {
  const { database, project, repositories, secrets } = scene.coordinator
  const token = 'token-of-the-chat-service'
  await database.deleteFrom('integration').execute()
  const { id } = await database
    .insertInto('integration')
    .values({
      project_id: project.id,
      slug: 'slack-slash-commands',
      secrets_encrypted: secrets.encrypt(JSON.stringify({ token })),
      created_at: 1,
      updated_at: 1,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const user = { team_id: 'T', chat_id: 'U' }
  return async (as: Person) => {
    await database.deleteFrom('chat_name').execute()
    await database
      .insertInto('chat_name')
      .values({ ...user, user_id: as.id, integration_id: id, created_at: 1 })
      .execute()
    repositories.ciFile = work(place)
    const { default_branch } = await database
      .selectFrom('project')
      .select('default_branch')
      .where('id', '=', project.id)
      .executeTakeFirstOrThrow()
    const setDefault = (branch: string | null) =>
      database.updateTable('project').set({ default_branch: branch }).where('id', '=', project.id).execute()
    await setDefault(place.ref)
    const said = { token, team_id: 'T', user_id: 'U', text: 'run work' }
    await scene.call(undefined, `POST /${word}/slack-slash-commands/trigger`, said)
    await setDefault(default_branch)
  }
}

async function addSchedule(
  { coordinator }: AttackScene,
  place: Place,
  owner: Person,
  next_run_at: number | null,
): Promise<number> {
  coordinator.repositories.ciFile = work(place)
  const { id } = await coordinator.database
    .insertInto('pipeline_schedule')
    .values({
      project_id: coordinator.project.id,
      owner_id: owner.id,
      description: 'x',
      next_run_at,
      ref: `refs/heads/${place.ref}`,
      cron: '0 0 1 1 *',
      cron_timezone: 'UTC',
      active: true,
      created_at: 0,
      updated_at: 0,
      last_failure: null,
      played_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

let triggers = 0

async function addTrigger({ coordinator }: AttackScene, place: Place, owner: Person): Promise<string> {
  coordinator.repositories.ciFile = work(place)
  const token = `trigger-${++triggers}`
  await coordinator.database
    .insertInto('trigger_token')
    .values({
      project_id: coordinator.project.id,
      owner_id: owner.id,
      description: 'x',
      token_digest: tokenDigest(token),
      token_encrypted: '',
      short_token: 'trig',
      expires_at: null,
      last_used: null,
      created_at: 0,
      updated_at: 0,
    })
    .execute()
  return token
}

/** Takes every job of the queue, and ends it. */
async function takeAll(scene: AttackScene, state: 'success' | 'failed' = 'success'): Promise<Started[]> {
  const taken: JobPayload[] = []
  for (let next = await takeNext(scene); next; next = await takeNext(scene)) {
    taken.push(next)
    await scene.runner.update(next, state, state === 'failed' ? { failure_reason: 'script_failure' } : {})
  }
  return taken.map(startedBy)
}
