import { expect, test } from 'vitest'

import { describeOnDatabase, type OpenDatabase, openSqlite } from '../../../support/databases.js'
import { type CiCoordinator, ciCoordinatorForFile, pushPipeline } from '../../support/ci-coordinator.js'
import { RunnerClient } from '../../support/runner-client.js'
import { addRunningJob } from '../../support/running-job.js'
import { addPerson, type Person } from '../../support/test-app.js'

const openCoordinator = ciCoordinatorForFile()

interface Scene {
  coordinator: CiCoordinator
  owner: Person
  token: string
  /** `POST /projects/:id<path>` without credentials. */
  post: (path: string, body?: object) => ReturnType<CiCoordinator['app']['call']>
}

const CI_FILE = 'job: { script: [a] }'

async function openScene(open: OpenDatabase = openSqlite): Promise<Scene> {
  const coordinator = await openCoordinator(open)
  const { app, database, project } = coordinator
  coordinator.repositories.ciFile = CI_FILE
  const owner = await addPerson(database, 'max')
  await database
    .insertInto('member')
    .values({ project_id: project.id, user_id: owner.id, access_level: 40, created_at: Date.now() })
    .execute()
  const made = await app.call(owner, `POST /projects/${project.id}/triggers`, { description: 'a' })
  return {
    coordinator,
    owner,
    token: made.json<{ token: string }>().token,
    post: (path, body) => app.call(undefined, `POST /projects/${project.id}${path}`, body),
  }
}

const NOT_FOUND = { message: '404 Not Found' }

describeOnDatabase('a pipeline that a token starts', (open) => {
  test('belongs to the owner of the token; its jobs have variables and payload, and no token', async () => {
    const { coordinator, owner, token, post } = await openScene(open)
    coordinator.repositories.ciFile = `
spec: { inputs: { name: { default: job } } }
---
$[[ inputs.name ]]:
  script: [a]
  rules:
    - if: '$CI_PIPELINE_TRIGGERED == "true" && $CI_PIPELINE_SOURCE == "trigger" && $A == "1" && $TRIGGER_PAYLOAD'
`
    const started = await post('/trigger/pipeline', {
      token,
      ref: 'main',
      more: { deep: ['x'] },
      variables: { A: '1' },
      inputs: { name: 'build' },
    })
    expect(started.statusCode).toBe(201)
    const pipeline = started.json<{ id: number }>()
    expect(pipeline).toMatchObject({ source: 'trigger', ref: 'main', status: 'pending' })
    expect(pipeline).toMatchObject({ user: { username: 'max' } })

    const runner = await RunnerClient.register(coordinator)
    const job = await runner.takeJob()
    expect(job.job_info.name).toBe('build')
    const value = (key: string) => job.variables.find((variable) => variable.key === key)
    expect(value('A')?.value).toBe('1')
    expect(value('CI_PIPELINE_TRIGGERED')?.value).toBe('true')
    expect(value('CI_TRIGGER_SHORT_TOKEN')?.value).toBe(token.slice(6, 10))
    expect(value('TRIGGER_PAYLOAD')?.file).toBe(true)
    expect(JSON.parse(value('TRIGGER_PAYLOAD')?.value ?? '')).toEqual({
      ref: 'main',
      more: { deep: ['x'] },
      variables: { A: '1' },
      inputs: { name: 'build' },
    })
    const rows = await coordinator.database.selectFrom('pipeline').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain('deep')
    const tokens = await coordinator.app.call(owner, `GET /projects/${coordinator.project.id}/triggers`)
    expect(tokens.json()).toMatchObject([{ last_used: expect.any(String) as string }])
  })

  test('may be started by a running job for its user, and by none that has ended', async () => {
    const { coordinator, post } = await openScene(open)
    const above = await pushPipeline(coordinator, CI_FILE)
    const runner = await RunnerClient.register(coordinator)
    const job = await runner.takeJob()
    const started = await post('/trigger/pipeline', { token: job.token, ref: 'main', variables: { A: '1' } })
    expect(started.statusCode).toBe(201)
    expect(started.json()).toMatchObject({ source: 'pipeline', user: { username: 'root' } })
    const below = await runner.takeJob()
    const { variables } = below
    const upstream = variables.filter(({ key }) => key.startsWith('CI_UPSTREAM_'))
    expect(Object.fromEntries(upstream.map(({ key, value }) => [key, value]))).toEqual({
      CI_UPSTREAM_PIPELINE_ID: String(above.id),
      CI_UPSTREAM_PROJECT_ID: String(coordinator.project.id),
      CI_UPSTREAM_JOB_ID: String(job.id),
    })
    await runner.update(job, 'success')
    const late = await post('/trigger/pipeline', { token: job.token, ref: 'main' })
    expect([late.statusCode, late.json()]).toEqual([404, NOT_FOUND])
  })

  test('may be started by a job of another project that is on the job-token allowlist', async () => {
    const { coordinator, owner, post } = await openScene(open)
    const { database, project } = coordinator
    const { projectId, token } = await addRunningJob(database, owner, 'other')
    const start = async () => {
      const { statusCode, body } = await post('/trigger/pipeline', { token, ref: 'main' })
      return [statusCode, JSON.parse(body)] as const
    }
    const message = `403 Forbidden - This project does not accept job tokens of project ${projectId}: a maintainer can add it to the allowlist with POST /projects/${project.id}/job_token_scope/allowlist`
    expect(await start()).toEqual([403, { message }])
    const entry = { project_id: project.id, allowed_project_id: projectId, created_at: 0 }
    await database.insertInto('job_token_project').values(entry).execute()
    expect(await start()).toMatchObject([201, { source: 'pipeline', user: { username: 'max' } }])
    await database.deleteFrom('job_token_project').execute()
    expect(await start()).toEqual([403, { message }])
    await database.updateTable('project').set({ job_token_scope_enabled: false }).execute()
    expect((await start())[0]).toBe(201)
    await database
      .updateTable('project')
      .set({ job_token_scope_enabled: true, visibility: 'public' })
      .execute()
    expect(await start()).toEqual([403, { message }])
    await database.updateTable('project').set({ visibility: 'private' }).execute()
    await database.deleteFrom('member').execute()
    expect(await start()).toEqual([404, NOT_FOUND])
  })
})

test('a pipeline hierarchy has at most a thousand pipelines, whichever user starts them', async () => {
  const { coordinator, post } = await openScene()
  const { database, project } = coordinator
  const above = await pushPipeline(coordinator, CI_FILE)
  const job = await (await RunnerClient.register(coordinator)).takeJob()
  const body = { token: job.token, ref: 'main' }
  expect((await post('/trigger/pipeline', body)).statusCode).toBe(201)
  const { id: _id, iid: _iid, warnings: _warnings, ...kept } = above
  for (let count = 2; count < 1000; count++) {
    const { id } = await database
      .insertInto('pipeline')
      .values({ ...kept, iid: 1000 + count })
      .returning('id')
      .executeTakeFirstOrThrow()
    const origin = {
      pipeline_id: id,
      kind: 'project',
      strategy: null,
      upstream_job_id: job.id,
      depth: 0,
    } as const
    const of = { upstream_pipeline_id: above.id, upstream_project_id: project.id, root_id: id }
    await database
      .insertInto('downstream_pipeline')
      .values({ ...origin, ...of, hierarchy_root_id: above.id, created_at: 0 })
      .execute()
  }
  const refused = await post('/trigger/pipeline', body)
  expect(refused.statusCode).toBe(400)
  expect(refused.json()).toEqual({
    message: { base: ['A pipeline hierarchy may have at most 1000 pipelines'] },
  })
})

test('a job cannot trigger a pipeline in a project where its user lacks the permission', async () => {
  const { coordinator, owner, post } = await openScene()
  const { database, project } = coordinator
  await pushPipeline(coordinator, CI_FILE, { user: owner })
  const job = await (await RunnerClient.register(coordinator)).takeJob()
  const body = { token: job.token, ref: 'main' }
  await database.updateTable('member').set({ access_level: 20 }).execute()
  const refused = await post('/trigger/pipeline', body)
  expect(refused.statusCode).toBe(400)
  expect(refused.json()).toEqual({ message: { base: ['Insufficient permissions to create a new pipeline'] } })
  await database.deleteFrom('member').execute()
  const hidden = await post('/trigger/pipeline', body)
  expect([hidden.statusCode, hidden.json()]).toEqual([404, NOT_FOUND])
  await database.updateTable('project').set({ visibility: 'public' }).where('id', '=', project.id).execute()
  expect((await post('/trigger/pipeline', body)).statusCode).toBe(400)
})

test('a token comes as a form too, and the ref in the path, where it wins over that of a web hook', async () => {
  const { coordinator, token } = await openScene()
  const { app, project } = coordinator
  const form = await app.app.inject({
    method: 'POST',
    url: `/api/v4/projects/${encodeURIComponent(project.full_path)}/trigger/pipeline?token=${token}&ref=main`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: 'variables[A]=1&variables[B]=2',
  })
  expect(form.statusCode).toBe(201)
  const hook = await app.call(
    undefined,
    `POST /projects/${project.id}/ref/feature%2Fx/trigger/pipeline?token=${token}`,
    { object_kind: 'push', ref: 'refs/heads/main' },
  )
  expect(hook.json()).toMatchObject({ ref: 'feature/x', source: 'trigger' })
  const variables = await coordinator.database.selectFrom('pipeline_variable').select('key').execute()
  expect(variables.map(({ key }) => key)).toEqual(['A', 'B'])
})

test('errors are reported; an invalid CI file creates a failed pipeline', async () => {
  const { coordinator, owner, token, post } = await openScene()
  const { app, database, repositories } = coordinator
  const outcome = async (body: object) => {
    const response = await post('/trigger/pipeline', body)
    return [response.statusCode, response.json<unknown>()]
  }
  const good = { token, ref: 'main' }
  expect(await outcome({ ref: 'main' })).toEqual([400, { error: 'token is missing' }])
  expect(await outcome({ token })).toEqual([400, { error: 'ref is missing' }])
  expect(await outcome({ ...good, token: 'glptt-wrong' })).toEqual([404, NOT_FOUND])
  const elsewhere = await app.call(undefined, 'POST /projects/4711/trigger/pipeline', good)
  expect([elsewhere.statusCode, elsewhere.json()]).toEqual([404, NOT_FOUND])
  const noMap = { message: 'variables needs to be a map of key-valued strings' }
  for (const variables of [['A'], 'A', { A: 1 }, { A: ['x'] }, { A: null }]) {
    expect(await outcome({ ...good, variables })).toEqual([400, noMap])
  }
  expect(await outcome({ ...good, variables: { 'A-B': '1' } })).toMatchObject([400, { message: {} }])
  repositories.missingRefs.add('gone')
  expect(await outcome({ ...good, ref: 'gone' })).toEqual([
    400,
    { message: { base: ['Reference not found'] } },
  ])
  repositories.ciFile = 'job: { script: [a], nonsense: 1 }'
  expect(await outcome(good)).toMatchObject([
    201,
    { status: 'failed', yaml_errors: expect.stringContaining('nonsense') as string },
  ])
  repositories.ciFile = CI_FILE
  await database.updateTable('project').set({ restrict_user_defined_variables: true }).execute()
  await database.updateTable('member').set({ access_level: 30 }).execute()
  expect(await outcome({ ...good, variables: { A: '1' } })).toEqual([
    400,
    { message: { base: ['Insufficient permissions to set pipeline variables'] } },
  ])
  expect((await post('/trigger/pipeline', good)).statusCode).toBe(201)
  await database.updateTable('user').set({ state: 'blocked' }).where('id', '=', owner.id).execute()
  expect(await outcome(good)).toEqual([400, { message: { base: ['The user is blocked'] } }])
  await database.updateTable('trigger_token').set({ expires_at: Date.now() }).execute()
  expect(await outcome(good)).toEqual([404, NOT_FOUND])
})
