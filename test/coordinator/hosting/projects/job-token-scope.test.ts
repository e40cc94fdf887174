import { expect, test } from 'vitest'

import { describeOnDatabase, type OpenDatabase } from '../../../support/databases.js'
import { testAtNight } from '../../../support/nightly.js'
import { addProject, peopleApiForFile } from '../../support/people-api.js'
import { addPerson, EXTERNAL_URL } from '../../support/test-app.js'

const openPeopleApi = peopleApiForFile()

interface Numbered {
  id: number
}

async function openScene(open: OpenDatabase) {
  const api = await openPeopleApi(open)
  const ann = await addPerson(api.database, 'ann')
  const bob = await addPerson(api.database, 'bob')
  const project = await addProject(api, ann, { name: 'App' })
  const scope = `/projects/${project.id}/job_token_scope`

  /** By Ann, who owns the project: the status, and the body if there is one. */
  async function ask(route: string, body?: object) {
    const response = await api.call(ann, route, body)
    return [response.statusCode, response.body ? response.json<unknown>() : undefined] as const
  }

  /** IDs of the entries of a list. */
  async function listed(list: 'allowlist' | 'groups_allowlist', query = ''): Promise<number[]> {
    const response = await api.call(ann, `GET ${scope}/${list}${query}`)
    return response.json<Numbered[]>().map(({ id }) => id)
  }

  async function addGroup(as: typeof ann, path: string): Promise<Numbered> {
    return (await api.call(as, 'POST /groups', { name: path.toUpperCase(), path })).json<Numbered>()
  }

  return { api, ann, bob, project, scope, ask, listed, addGroup }
}

const NOT_FOUND = { message: '404 Not found' }

describeOnDatabase('The job token scope of a project', (open) => {
  test('limits access to the listed projects, unless it is disabled', async () => {
    const { api, ann, ask, scope, project } = await openScene(open)
    const told = (inbound_enabled: boolean) => [200, { inbound_enabled, outbound_enabled: false }]
    expect(await ask(`GET ${scope}`)).toEqual(told(true))
    expect(await ask(`PATCH ${scope}`, { enabled: false })).toEqual([204, undefined])
    expect(await ask(`GET ${scope}`)).toEqual(told(false))
    expect(await ask(`PATCH ${scope}`, { enabled: true })).toEqual([204, undefined])
    expect(await ask(`GET ${scope}`)).toEqual(told(true))
    expect(await ask(`PATCH ${scope}`)).toEqual([400, { error: 'enabled is missing' }])
    expect(await ask(`PATCH ${scope}`, { enabled: 'perhaps' })).toEqual([
      400,
      { error: 'enabled is invalid' },
    ])
    // A new project starts with an empty list.
    await ask(`PATCH ${scope}`, { enabled: false })
    const other = await addProject(api, ann, { name: 'Other' })
    expect(await ask(`GET /projects/${other.id}/job_token_scope`)).toEqual(told(true))
    const [, record] = await ask(`GET /projects/${project.id}`)
    expect(record).toMatchObject({ ci_job_token_scope_enabled: false })
  })

  testAtNight('lists projects, itself always among them', async () => {
    const { api, ann, project, ask, scope, listed } = await openScene(open)
    const other = await addProject(api, ann, { name: 'Other' })
    const third = await addProject(api, ann, { name: 'Third' })
    expect(await listed('allowlist')).toEqual([project.id])
    const add = (target_project_id: number) => ask(`POST ${scope}/allowlist`, { target_project_id })
    for (const { id } of [third, other]) {
      expect(await add(id)).toEqual([201, { source_project_id: project.id, target_project_id: id }])
    }
    expect(await listed('allowlist')).toEqual([project.id, other.id, third.id])
    expect(await listed('allowlist', '?per_page=1&page=2')).toEqual([other.id])
    const { headers } = await api.call(ann, `GET ${scope}/allowlist?per_page=2`)
    expect(headers).toMatchObject({ 'x-total': '3', 'x-total-pages': '2' })
    const { body } = await api.call(ann, `GET ${scope}/allowlist`)
    expect((JSON.parse(body) as unknown[])[1]).toMatchObject({
      id: other.id,
      name: 'Other',
      path_with_namespace: 'ann/other',
      default_branch: null,
      web_url: `${EXTERNAL_URL}/ann/other`,
      namespace: { full_path: 'ann' },
    })

    const already = { message: 'The project is already on the job token allowlist' }
    expect(await add(other.id)).toEqual([409, already])
    expect(await add(project.id)).toEqual([409, already])
    expect(await ask(`DELETE ${scope}/allowlist/${other.id}`)).toEqual([204, undefined])
    expect(await ask(`DELETE ${scope}/allowlist/${other.id}`)).toEqual([404, NOT_FOUND])
    expect(await ask(`DELETE ${scope}/allowlist/${project.id}`)).toEqual([
      400,
      {
        message:
          '400 Bad request - A project always accepts its own job tokens: it cannot be removed from its job token allowlist',
      },
    ])
    expect(await listed('allowlist')).toEqual([project.id, third.id])
    expect(await ask(`POST ${scope}/allowlist`)).toEqual([400, { error: 'target_project_id is missing' }])
  })
})

describeOnDatabase('The job token scope of a project', (open) => {
  test('lists groups', async () => {
    const { ann, project, ask, scope, listed, addGroup } = await openScene(open)
    const { id } = await addGroup(ann, 'team')
    const { id: inner } = await addGroup(ann, 'inner')
    const add = (target_group_id: number) => ask(`POST ${scope}/groups_allowlist`, { target_group_id })
    for (const each of [id, inner]) {
      expect(await add(each)).toEqual([201, { source_project_id: project.id, target_group_id: each }])
    }
    expect(await ask(`GET ${scope}/groups_allowlist`)).toEqual([
      200,
      [
        { id, name: 'TEAM', web_url: `${EXTERNAL_URL}/groups/team` },
        { id: inner, name: 'INNER', web_url: `${EXTERNAL_URL}/groups/inner` },
      ],
    ])
    expect(await listed('groups_allowlist', '?per_page=1&page=2')).toEqual([inner])
    expect(await add(id)).toEqual([409, { message: 'The group is already on the job token allowlist' }])
    expect(await ask(`DELETE ${scope}/groups_allowlist/${id}`)).toEqual([204, undefined])
    expect(await ask(`DELETE ${scope}/groups_allowlist/${id}`)).toEqual([404, NOT_FOUND])
    expect(await listed('groups_allowlist')).toEqual([inner])
    expect(await listed('allowlist')).toEqual([project.id])
  })

  test('only projects that the user can see may be added; any entry may be deleted', async () => {
    const { api, bob, project, ask, scope, listed, addGroup, ann } = await openScene(open)
    const hidden = await addProject(api, bob, { name: 'Hidden' })
    const { id: group } = await addGroup(bob, 'hidden')
    const noProject = [404, { message: '404 Project Not Found' }]
    const noGroup = [404, { message: '404 Group Not Found' }]
    for (const target_project_id of [hidden.id, 9999]) {
      expect(await ask(`POST ${scope}/allowlist`, { target_project_id })).toEqual(noProject)
    }
    const { namespace } = project as unknown as { namespace: Numbered }
    for (const target_group_id of [group, 9999, namespace.id]) {
      expect(await ask(`POST ${scope}/groups_allowlist`, { target_group_id })).toEqual(noGroup)
    }
    // Bob may see both, once he is a maintainer here.
    await api.call(ann, `POST /projects/${project.id}/members`, { user_id: bob.id, access_level: 40 })
    const added = await api.call(bob, `POST ${scope}/allowlist`, { target_project_id: hidden.id })
    expect(added.statusCode).toBe(201)
    expect(await listed('allowlist')).toEqual([project.id, hidden.id])
    expect(await ask(`DELETE ${scope}/allowlist/${hidden.id}`)).toEqual([204, undefined])
    expect(await ask(`DELETE ${scope}/allowlist/9999`)).toEqual([404, NOT_FOUND])
  })

  test('lists two hundred at most', async () => {
    const { api, ann, project, ask, scope, addGroup } = await openScene(open)
    const { namespace_id } = await api.database
      .selectFrom('project')
      .select('namespace_id')
      .where('id', '=', project.id)
      .executeTakeFirstOrThrow()
    const rows = Array.from({ length: 201 }, (_, at) => ({
      namespace_id,
      creator_id: ann.id,
      name: `p${at}`,
      path: `p${at}`,
      full_path: `ann/p${at}`,
      visibility: 'private' as const,
      runners_token_digest: `p${at}`,
      runners_token_encrypted: '',
      created_at: 0,
      updated_at: 0,
      last_activity_at: 0,
    }))
    const made = await api.database.insertInto('project').values(rows).returning('id').execute()
    const [last, ...others] = made.map(({ id }) => id)
    const entries = others.slice(0, 199).map((allowed_project_id) => ({
      project_id: project.id,
      allowed_project_id,
      created_at: 0,
    }))
    await api.database.insertInto('job_token_project').values(entries).execute()
    const full = [
      400,
      {
        message:
          '400 Bad request - A job token allowlist is limited to 200 projects and groups: remove some, or add a group that contains them',
      },
    ]
    const { id: target_group_id } = await addGroup(ann, 'team')
    expect((await ask(`POST ${scope}/groups_allowlist`, { target_group_id }))[0]).toBe(201)
    expect(await ask(`POST ${scope}/allowlist`, { target_project_id: last })).toEqual(full)
    await ask(`DELETE ${scope}/groups_allowlist/${target_group_id}`)
    expect((await ask(`POST ${scope}/allowlist`, { target_project_id: last }))[0]).toBe(201)
    expect(await ask(`POST ${scope}/groups_allowlist`, { target_group_id })).toEqual(full)
  })

  testAtNight('changes of the allowlist and of its switch are recorded in the audit events', async () => {
    const { api, ann, project, ask, scope, addGroup } = await openScene(open)
    const other = await addProject(api, ann, { name: 'Other' })
    const { id: group } = await addGroup(ann, 'team')
    await api.database.deleteFrom('audit_event').execute()
    await ask(`PATCH ${scope}`, { enabled: false })
    await ask(`POST ${scope}/allowlist`, { target_project_id: other.id })
    await ask(`DELETE ${scope}/allowlist/${other.id}`)
    await ask(`POST ${scope}/groups_allowlist`, { target_group_id: group })
    const rows = await api.database.selectFrom('audit_event').selectAll().orderBy('id').execute()
    expect(
      rows.map(({ entity_type, entity_id, details }) => ({ entity_type, entity_id, details })),
    ).toMatchObject(
      [
        { change: 'inbound_enabled', from: true, to: false, target_type: 'Project', target_id: project.id },
        { add: 'allowlist', target_type: 'Project', target_id: other.id },
        { remove: 'allowlist', target_type: 'Project', target_id: other.id },
        { add: 'groups_allowlist', target_type: 'Group', target_id: group },
      ].map((details) => ({ entity_type: 'Project', entity_id: project.id, details })),
    )
  })
})
