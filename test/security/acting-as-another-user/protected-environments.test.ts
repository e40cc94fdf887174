import { expect, test } from 'vitest'

import { startDueJobs } from '../../../src/coordinator/ci/engine/advance/start-due-jobs.js'
import { stopDueEnvironments } from '../../../src/coordinator/ci/engine/environments/stop-due-environments.js'
import { createHook } from '../../../src/coordinator/integrations/webhooks/hooks.js'
import { jobNamed } from '../../coordinator/support/ci-coordinator.js'
import type { Person } from '../../coordinator/support/test-app.js'
import { sceneForFile } from '../../support/scene-for-file.js'
import { type AttackScene, openAttackScene, runToSuccess, takeNext, whatStarts } from './scene.js'

const attackScene = sceneForFile(openAttackScene)

const MAINTAINERS = [{ access_level: 40 }]
const DEPLOY = 'deploy: { script: x, environment: production }'

async function openProtected(more: object = {}): Promise<AttackScene> {
  const scene = await attackScene()
  const protection = { name: 'production', deploy_access_levels: MAINTAINERS, ...more }
  const created = await scene.call(scene.people.maintainer, 'POST /protected_environments', protection)
  expect(created.statusCode).toBe(201)
  return scene
}

async function act({ call }: AttackScene, as: Person, action: string, jobId: number): Promise<number> {
  return (await call(as, `POST /jobs/${jobId}/${action}`)).statusCode
}

test.each(['start', 'prepare', 'verify', 'access', 'stop'])(
  'an automatic job with the action %s for a protected environment fails for a user who is no deployer',
  async (action) => {
    const scene = await openProtected()
    const file = `job: { script: x, retry: 2, environment: { name: production, action: ${action} } }`
    await scene.push(scene.people.developer, 'mine', file)
    expect(await jobNamed(scene.coordinator, 'job')).toMatchObject({
      status: 'failed',
      failure_reason: 'protected_environment_failure',
    })
    expect(await whatStarts(scene)).toBeUndefined()
    await scene.push(scene.people.maintainer, 'other', file)
    expect(await whatStarts(scene)).toMatchObject({ job: 'job', as: 'maintainer' })
  },
)

test('jobs for other environments of the project run for every developer', async () => {
  const scene = await openProtected()
  await scene.push(scene.people.developer, 'mine', 'job: { script: x, environment: staging }')
  expect(await whatStarts(scene)).toMatchObject({ job: 'job', as: 'developer' })
})

test('a manual job for a protected environment is played and retried by deployers alone', async () => {
  const scene = await openProtected()
  const { developer, maintainer, owner } = scene.people
  await scene.push(developer, 'mine', DEPLOY.replace('script: x', 'script: x, when: manual'))
  const { id } = await jobNamed(scene.coordinator, 'deploy')
  expect(await act(scene, developer, 'play', id)).toBe(403)
  expect(await act(scene, maintainer, 'play', id)).toBe(200)
  expect(await whatStarts(scene)).toMatchObject({ job: 'deploy', as: 'maintainer' })
  await scene.call(maintainer, `POST /jobs/${id}/cancel`)
  await scene.call(maintainer, `POST /jobs/${id}/cancel?force=true`)
  expect(await act(scene, developer, 'retry', id)).toBe(403)
  expect(await act(scene, developer, 'play', id)).toBe(403)
  expect(await act(scene, owner, 'retry', id)).toBe(201)
  expect(await whatStarts(scene)).toMatchObject({ job: 'deploy', as: 'owner' })
})

test('the retry of a pipeline leaves out the jobs of protected environments for a user who is no deployer', async () => {
  const scene = await openProtected()
  const pipeline = await scene.push(scene.people.developer, 'mine', `${DEPLOY}\nother: { script: x }`)
  const other = await takeNext(scene)
  await scene.runner.update(other!, 'failed', { failure_reason: 'script_failure' })
  await scene.call(scene.people.developer, `POST /pipelines/${pipeline.id}/retry`)
  expect(await whatStarts(scene)).toMatchObject({ job: 'other' })
  expect(await whatStarts(scene)).toBeUndefined()
  expect((await jobNamed(scene.coordinator, 'deploy')).status).toBe('failed')
})

test('a delayed job for a protected environment does not run for a user who is no deployer, and is not unscheduled by one', async () => {
  const scene = await openProtected()
  const { developer } = scene.people
  const delayed = DEPLOY.replace('script: x', 'script: x, when: delayed, start_in: 1 minute')
  await scene.push(developer, 'mine', delayed)
  const { id } = await jobNamed(scene.coordinator, 'deploy')
  expect(await act(scene, developer, 'unschedule', id)).toBe(403)
  await startDueJobs(scene.coordinator.engine, Date.now() + 2 * 60_000)
  expect(await jobNamed(scene.coordinator, 'deploy')).toMatchObject({
    failure_reason: 'protected_environment_failure',
  })
})

test('a pending job fails instead of running when its user has lost the right to deploy in between', async () => {
  const scene = await openProtected()
  const { maintainer } = scene.people
  await scene.push(maintainer, 'mine', DEPLOY)
  await scene.coordinator.database
    .updateTable('member')
    .set({ access_level: 30 })
    .where('user_id', '=', maintainer.id)
    .execute()
  expect(await whatStarts(scene)).toBeUndefined()
  expect(await jobNamed(scene.coordinator, 'deploy')).toMatchObject({
    failure_reason: 'protected_environment_failure',
  })
})

test('a user, a member of a group or an administrator deploys where the entry says so', async () => {
  const scene = await attackScene()
  const { coordinator, people, call } = scene
  const { database, project } = coordinator
  const group_id = project.namespace_id
  await database
    .insertInto('member')
    .values({ group_id, user_id: people.reporter.id, access_level: 30, created_at: 0 })
    .execute()
  const runsFor = async (entry: object): Promise<string[]> => {
    await call(people.administrator, 'DELETE /protected_environments/production')
    const protection = { name: 'production', deploy_access_levels: [entry] }
    const created = await call(people.administrator, 'POST /protected_environments', protection)
    expect(created.statusCode).toBe(201)
    const deployers: string[] = []
    for (const name of ['reporter', 'developer', 'maintainer', 'owner', 'administrator'] as const) {
      await scene.push(people[name], `of-${name}`, DEPLOY)
      const started = await whatStarts(scene)
      if (started) deployers.push(started.as ?? '')
    }
    return deployers
  }
  expect(await runsFor({ user_id: people.developer.id })).toEqual(['developer', 'administrator'])
  expect(await runsFor({ group_id })).toEqual(['reporter', 'administrator'])
  expect(await runsFor({ access_level: 60 })).toEqual(['administrator'])
  expect(await runsFor({ access_level: 30 })).toEqual([
    'reporter',
    'developer',
    'maintainer',
    'owner',
    'administrator',
  ])
})

test('a tier that a group protects is protected in all projects of the group', async () => {
  const scene = await attackScene()
  const { coordinator, people } = scene
  const path = `/groups/${coordinator.project.namespace_id}/protected_environments`
  const protection = { name: 'production', deploy_access_levels: MAINTAINERS }
  const created = await coordinator.app.call(people.administrator, `POST ${path}`, protection)
  expect(created.statusCode).toBe(201)
  await scene.push(people.developer, 'mine', 'deploy: { script: x, environment: live/eu }')
  expect(await whatStarts(scene)).toBeUndefined()
  await scene.push(people.developer, 'mine', 'deploy: { script: x, environment: staging }')
  expect(await whatStarts(scene)).toMatchObject({ job: 'deploy' })
})

test('a user who is no deployer neither changes, stops nor deletes a protected environment, nor records deployments to it', async () => {
  const scene = await openProtected()
  const { coordinator, people, call } = scene
  await scene.push(
    people.maintainer,
    'main',
    DEPLOY.replace('production', '{ name: production, auto_stop_in: 1 day }'),
  )
  await runToSuccess(scene, 'deploy')
  const [{ id } = { id: 0 }] = (await call(people.developer, 'GET /environments?name=production')).json<
    { id: number }[]
  >()
  const other = (await call(people.developer, 'POST /environments', { name: 'x' })).json<{ id: number }>()
  const recorded = {
    environment: 'production',
    sha: 'a'.repeat(40),
    ref: 'mine',
    tag: false,
    status: 'success',
  }
  const refused: [route: string, body?: object][] = [
    [`PUT /environments/${id}`, { name: 'renamed' }],
    [`PUT /environments/${id}`, { tier: 'other' }],
    [`PUT /environments/${other.id}`, { name: 'production' }],
    [`POST /environments/${id}/stop`],
    [`POST /environments/${id}/stop`, { force: true }],
    ['POST /deployments', recorded],
  ]
  for (const [route, body] of refused) {
    expect((await call(people.developer, route, body)).statusCode, `${route} ${JSON.stringify(body)}`).toBe(
      403,
    )
  }
  const use = '{ script: x, environment: { name: production, action: access, auto_stop_in: 1 second } }'
  await scene.push(people.developer, 'mine', `use: ${use}`)
  await stopDueEnvironments(coordinator.engine, Date.now() + 60_000)
  expect((await call(people.developer, `GET /environments/${id}`)).json()).toMatchObject({
    name: 'production',
    state: 'available',
  })
  expect((await call(people.maintainer, `POST /environments/${id}/stop`)).statusCode).toBe(200)
  expect((await call(people.developer, `DELETE /environments/${id}`)).statusCode).toBe(403)
  expect((await call(people.maintainer, `DELETE /environments/${id}`)).statusCode).toBe(204)
})

interface Waiting {
  scene: AttackScene
  deployment: number
  job: number
  review: (as: Person, body: object) => ReturnType<AttackScene['call']>
}

/** A deployment of the maintainer that waits for approvals. */
async function openWaiting(more: object, file = DEPLOY): Promise<Waiting> {
  const scene = await openProtected(more)
  const { call, people } = scene
  await scene.push(people.maintainer, 'main', file)
  const [deployment] = (await call(people.maintainer, 'GET /deployments')).json<
    { id: number; status: string; deployable: { id: number; status: string } }[]
  >()
  expect(deployment).toMatchObject({ status: 'blocked', deployable: { status: 'manual' } })
  return {
    scene,
    deployment: deployment!.id,
    job: deployment!.deployable.id,
    review: (as, body) => call(as, `POST /deployments/${deployment!.id}/approval`, body),
  }
}

test('a deployment that needs approvals runs after all of them, and not before', async () => {
  const rules = { approval_rules: [{ access_level: 40 }, { access_level: 30 }] }
  const { scene, deployment, job, review } = await openWaiting(rules)
  const { call, people } = scene
  expect(await whatStarts(scene)).toBeUndefined()
  expect(await act(scene, people.maintainer, 'play', job)).toBe(403)
  const first = await review(people.owner, { status: 'approved', comment: 'fine' })
  expect(first.statusCode).toBe(201)
  expect(first.json()).toMatchObject({ status: 'approved', comment: 'fine', user: { username: 'owner' } })
  expect((await call(people.reporter, `GET /deployments/${deployment}`)).json()).toMatchObject({
    status: 'blocked',
    pending_approval_count: 1,
    approvals: [{ status: 'approved', user: { username: 'owner' } }],
    approval_summary: {
      rules: [
        { access_level: 40, required_approvals: 1, deployment_approvals: [{ comment: 'fine' }] },
        { access_level: 30, required_approvals: 1, deployment_approvals: [] },
      ],
    },
  })
  expect(await act(scene, people.maintainer, 'play', job)).toBe(403)
  expect((await review(people.developer, { status: 'approved' })).statusCode).toBe(201)
  expect((await call(people.reporter, `GET /deployments/${deployment}`)).json()).toMatchObject({
    status: 'created',
    pending_approval_count: 0,
  })
  expect(await act(scene, people.developer, 'play', job)).toBe(403)
  expect(await act(scene, people.maintainer, 'play', job)).toBe(200)
  expect(await whatStarts(scene)).toMatchObject({ job: 'deploy', as: 'maintainer', hasSecret: true })
})

test('an approval of a deployment counts as long as its user may approve', async () => {
  const { scene, job, deployment, review } = await openWaiting({ required_approval_count: 1 })
  const { coordinator, people } = scene
  const setState = (state: 'active' | 'blocked') =>
    coordinator.database.updateTable('user').set({ state }).where('id', '=', people.owner.id).execute()
  expect((await review(people.owner, { status: 'approved' })).statusCode).toBe(201)
  const pending = async () =>
    (await scene.call(people.maintainer, `GET /deployments/${deployment}`)).json<{
      pending_approval_count: number
    }>().pending_approval_count
  expect(await pending()).toBe(0)
  await setState('blocked')
  expect(await pending()).toBe(1)
  expect(await act(scene, people.maintainer, 'play', job)).toBe(403)
  await setState('active')
  expect(await pending()).toBe(0)
  expect(await act(scene, people.maintainer, 'play', job)).toBe(200)
})

test('the user who has triggered a deployment does not approve it, unless the project allows it', async () => {
  const { scene, review } = await openWaiting({ required_approval_count: 1 })
  const { coordinator, people } = scene
  expect((await review(people.maintainer, { status: 'approved' })).statusCode).toBe(403)
  await coordinator.database
    .updateTable('project')
    .set({ allow_pipeline_trigger_approve_deployment: true })
    .execute()
  expect((await review(people.maintainer, { status: 'approved' })).statusCode).toBe(201)
})

test('a user whom no approval rule names does not approve', async () => {
  const { scene, review } = await openWaiting({ approval_rules: [{ access_level: 40 }] })
  const { developer, reporter, owner } = scene.people
  expect((await review(developer, { status: 'approved' })).statusCode).toBe(403)
  expect((await review(reporter, { status: 'approved' })).statusCode).toBe(403)
  const unknown = await review(owner, { status: 'approved', represented_as: 'Nobody' })
  expect(unknown.statusCode).toBe(400)
  expect((await review(owner, { status: 'approved', represented_as: 'Maintainers' })).statusCode).toBe(201)
})

test('one user who approves twice counts once', async () => {
  const rules = { approval_rules: [{ access_level: 30, required_approvals: 2 }] }
  const { scene, deployment, review } = await openWaiting(rules)
  const { call, people } = scene
  await review(people.owner, { status: 'approved' })
  await review(people.owner, { status: 'approved' })
  expect((await call(people.owner, `GET /deployments/${deployment}`)).json()).toMatchObject({
    status: 'blocked',
    pending_approval_count: 1,
  })
})

test('a deployment that is rejected fails its job, and another attempt needs approvals of its own', async () => {
  const { scene, job, review } = await openWaiting({ approval_rules: [{ access_level: 40 }] })
  const { maintainer, owner } = scene.people
  const { database, project } = scene.coordinator
  const hook = { url: 'https://hooks.example.com/', push_events: false, deployment_events: true }
  await createHook(scene.coordinator, { projectId: project.id }, hook)
  expect((await review(owner, { status: 'rejected', comment: 'no' })).statusCode).toBe(201)
  const sent = await database.selectFrom('hook_event').select(['trigger', 'facts']).execute()
  expect(sent).toMatchObject([{ trigger: 'deployment_events', facts: { status: 'failed', jobId: job } }])
  expect(await jobNamed(scene.coordinator, 'deploy')).toMatchObject({
    status: 'failed',
    failure_reason: 'deployment_rejected',
  })
  expect((await review(owner, { status: 'approved' })).statusCode).toBe(400)
  expect(await act(scene, maintainer, 'retry', job)).toBe(201)
  expect((await jobNamed(scene.coordinator, 'deploy')).status).toBe('manual')
  expect(await whatStarts(scene)).toBeUndefined()
})

test('another attempt of a manual or delayed job does not pass by the approvals', async () => {
  const manual = DEPLOY.replace('script: x', 'script: x, when: manual')
  const { scene, job, review } = await openWaiting({ approval_rules: [{ access_level: 40 }] }, manual)
  const { maintainer, owner } = scene.people
  await review(owner, { status: 'approved' })
  expect(await act(scene, maintainer, 'play', job)).toBe(200)
  await runToSuccess(scene, 'deploy')
  expect(await act(scene, maintainer, 'play', job)).toBe(200)
  expect((await jobNamed(scene.coordinator, 'deploy')).status).toBe('manual')
  expect(await whatStarts(scene)).toBeUndefined()
})

test('a delayed job whose deployment needs approvals waits for them when its time has come', async () => {
  const scene = await openProtected({ approval_rules: [{ access_level: 40 }] })
  const delayed = DEPLOY.replace('script: x', 'script: x, when: delayed, start_in: 1 minute')
  await scene.push(scene.people.maintainer, 'main', delayed)
  await startDueJobs(scene.coordinator.engine, Date.now() + 2 * 60_000)
  expect((await jobNamed(scene.coordinator, 'deploy')).status).toBe('manual')
})

test('a rule that is added while a job is pending keeps it from running without approvals', async () => {
  const scene = await openProtected()
  const { call, people } = scene
  await scene.push(people.maintainer, 'main', DEPLOY)
  await call(people.maintainer, 'PUT /protected_environments/production', {
    approval_rules: [{ access_level: 40 }],
  })
  expect(await whatStarts(scene)).toBeUndefined()
  expect(await jobNamed(scene.coordinator, 'deploy')).toMatchObject({
    failure_reason: 'protected_environment_failure',
  })
})

test.each(['renamed', 'deleted'])(
  'a job whose environment was %s stays for the deployers of the environment that it names',
  async (change) => {
    const scene = await openProtected()
    const { call, people } = scene
    const file = 'deploy: { script: x, when: manual, environment: { name: production, action: access } }'
    await scene.push(people.developer, 'mine', file)
    const { id } = await jobNamed(scene.coordinator, 'deploy')
    const [environment] = (await call(people.maintainer, 'GET /environments')).json<{ id: number }[]>()
    const path = `/environments/${environment?.id}`
    if (change === 'renamed') await call(people.maintainer, `PUT ${path}`, { name: 'other' })
    else {
      await call(people.maintainer, `POST ${path}/stop`)
      expect((await call(people.maintainer, `DELETE ${path}`)).statusCode).toBe(204)
    }
    expect(await act(scene, people.developer, 'play', id)).toBe(403)
    expect(await act(scene, people.maintainer, 'play', id)).toBe(200)
  },
)

test('a trigger job for a protected environment starts no pipeline for a user who is no deployer', async () => {
  const scene = await openProtected()
  const trigger = 'down: { trigger: { include: child.yml }, environment: production }'
  await scene.push(scene.people.developer, 'mine', trigger)
  expect(await jobNamed(scene.coordinator, 'down')).toMatchObject({
    failure_reason: 'protected_environment_failure',
  })
})
