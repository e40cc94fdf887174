import { expect, test } from 'vitest'

import { describeOnDatabase, type OpenDatabase } from '../../../support/databases.js'
import { type CiCoordinator, ciCoordinatorForFile, pushPipeline } from '../../support/ci-coordinator.js'
import { RunnerClient, send } from '../../support/runner-client.js'
import { addPerson, type Person } from '../../support/test-app.js'

const openCoordinator = ciCoordinatorForFile()

interface Group {
  id: number
}

/** A group of Ann's, with the project of the coordinator in a subgroup of it. */
async function annsGroup(
  open: OpenDatabase,
): Promise<{ coordinator: CiCoordinator; ann: Person; group: Group; inside: Group }> {
  const coordinator = await openCoordinator(open)
  const { app, database, project } = coordinator
  const ann = await addPerson(database, 'ann')
  const group = (await app.call(ann, 'POST /groups', { name: 'Team', path: 'team' })).json<Group>()
  const below = { name: 'Tools', path: 'tools', parent_id: group.id }
  const inside = (await app.call(ann, 'POST /groups', below)).json<Group>()
  const full_path = 'team/tools/app'
  await database.updateTable('project').set({ namespace_id: inside.id, full_path }).execute()
  Object.assign(project, { namespace_id: inside.id, full_path })
  return { coordinator, ann, group, inside }
}

async function registerForGroup({ app, url }: CiCoordinator, owner: Person, group: Group) {
  const reset = await app.call(owner, `POST /groups/${group.id}/runners/reset_registration_token`)
  expect(reset.statusCode).toBe(201)
  const { token } = reset.json<{ token: string }>()
  const response = await send(url, 'POST', '/runners', { token, description: 'of the team' })
  const result = (await response.json()) as { id: number; token: string }
  return { id: result.id, client: new RunnerClient(url, result.token) }
}

describeOnDatabase('a runner of a group', (open) => {
  test('registers with the token of the group and works for the projects in it', async () => {
    const { coordinator, ann, group } = await annsGroup(open)
    const { client } = await registerForGroup(coordinator, ann, group)
    await pushPipeline(coordinator, 'a: { script: x }')
    expect((await client.takeJob()).job_info).toMatchObject({ name: 'a' })
  })

  test('is shown with its group, to the owner of the group alone', async () => {
    const { coordinator, ann, group, inside } = await annsGroup(open)
    const { app, database, project, admin } = coordinator
    const bob = await addPerson(database, 'bob')
    const { id } = await registerForGroup(coordinator, ann, group)
    const record = { id, runner_type: 'group_type', is_shared: false }
    expect((await app.call(ann, `GET /runners/${id}`)).json()).toMatchObject({
      ...record,
      groups: [{ id: group.id, name: 'Team', web_url: 'http://switchyard.example/groups/team' }],
    })
    expect((await app.call(ann, 'GET /runners')).json()).toMatchObject([record])
    expect((await app.call(ann, `GET /groups/${group.id}/runners`)).json()).toMatchObject([record])
    expect((await app.call(ann, `GET /groups/${inside.id}/runners`)).json()).toMatchObject([record])
    expect((await app.call(admin, `GET /projects/${project.id}/runners`)).json()).toMatchObject([record])
    expect((await app.call(bob, `GET /runners/${id}`)).statusCode).toBe(403)
    expect((await app.call(bob, 'GET /runners')).json()).toEqual([])
    expect((await app.call(bob, `GET /groups/${group.id}/runners`)).statusCode).toBe(404)
    expect((await app.call(bob, `PUT /runners/${id}`, { paused: true })).statusCode).toBe(403)
    expect((await app.call(ann, `PUT /runners/${id}`, { paused: true })).json()).toMatchObject({
      paused: true,
    })
  })

  test('is created by the owner of the group', async () => {
    const { coordinator, ann, group } = await annsGroup(open)
    const { app, database } = coordinator
    const body = { runner_type: 'group_type', group_id: group.id }
    const created = await app.call(ann, 'POST /user/runners', body)
    expect(created.statusCode).toBe(201)
    expect(created.json<{ token: string }>().token).toMatch(/^glrt-t2_/)
    expect((await app.call(ann, 'POST /user/runners', { runner_type: 'group_type' })).json()).toEqual({
      error: 'group_id is missing',
    })
    const stranger = await addPerson(database, 'bob')
    expect((await app.call(stranger, 'POST /user/runners', body)).statusCode).toBe(404)
  })

  test('shows its jobs to the owner of the group', async () => {
    const { coordinator, ann, group } = await annsGroup(open)
    const { id, client } = await registerForGroup(coordinator, ann, group)
    await pushPipeline(coordinator, 'a: { script: x }')
    await client.takeJob()
    const jobs = await coordinator.app.call(ann, `GET /runners/${id}/jobs`)
    expect(jobs.json()).toMatchObject([{ name: 'a', status: 'running' }])
  })
})

describeOnDatabase('a group without runners of the instance', (open) => {
  test('takes them from its projects and subgroups, waiting jobs included', async () => {
    const { coordinator, ann, group, inside } = await annsGroup(open)
    const { app, database, project } = coordinator
    const client = await RunnerClient.register(coordinator)
    await pushPipeline(coordinator, 'a: { script: x }')
    const setting = 'disabled_and_overridable'
    const changed = await app.call(ann, `PUT /groups/${group.id}`, { shared_runners_setting: setting })
    expect(changed.json()).toMatchObject({ shared_runners_setting: setting })
    expect((await app.call(ann, `GET /groups/${inside.id}`)).json()).toMatchObject({
      shared_runners_setting: setting,
    })
    expect((await client.request()).status).toBe(204)
    const { shared_runners_enabled } = await database
      .selectFrom('project')
      .selectAll()
      .where('id', '=', project.id)
      .executeTakeFirstOrThrow()
    expect(shared_runners_enabled).toBe(false)
  })

  test('that cannot be overridden holds for the groups in it', async () => {
    const { coordinator, ann, group, inside } = await annsGroup(open)
    const { app } = coordinator
    await app.call(ann, `PUT /groups/${group.id}`, { shared_runners_setting: 'disabled_and_unoverridable' })
    const refused = await app.call(ann, `PUT /groups/${inside.id}`, { shared_runners_setting: 'enabled' })
    expect([refused.statusCode, refused.json()]).toEqual([
      400,
      {
        message: {
          shared_runners_setting: [
            'cannot be changed because the parent group has instance runners disabled',
          ],
        },
      },
    ])
  })
})
