import { expect, test } from 'vitest'

import { describeOnDatabase, describeOnEachDatabase, type OpenDatabase } from '../../../support/databases.js'
import { sceneForFile } from '../../../support/scene-for-file.js'
import type { Person } from '../../support/test-app.js'
import { openNestedScene } from '../support/planning-api.js'

interface Label {
  id: number
  name: string
}

/** Paths: `group` contains `project` and `below`; `below` contains `deep`; `own` is in a personal namespace. */
async function buildScene(open: OpenDatabase) {
  const { group, below, project, deep, own, ...api } = await openNestedScene(open)
  return {
    ...api,
    group: `/groups/${group}`,
    below: `/groups/${below}`,
    project: `/projects/${project}`,
    deep: `/projects/${deep}`,
    own: `/projects/${own}`,
  }
}

type Scene = Awaited<ReturnType<typeof buildScene>>

async function names({ ok }: Scene, path: string, as?: Person): Promise<string[]> {
  return (await ok<Label[]>(`GET ${path}`, undefined, as)).map(({ name }) => name)
}

const RED = { color: '#ff0000' }

const openScene = sceneForFile(buildScene)

describeOnDatabase('a label', (open) => {
  test('is created, read by ID and by name, changed and deleted in a project and in a group', async () => {
    const { call, group, project } = await openScene(open)
    for (const [at, more] of [
      [project, { priority: null, is_project_label: true }],
      [group, {}],
    ] as const) {
      const created = await call(`POST ${at}/labels`, {
        name: ` a & b of ${at} `,
        color: '#abcdef',
        description: '**Bold**',
      })
      const record = {
        id: expect.any(Number) as number,
        name: `a & b of ${at}`,
        description: '**Bold**',
        description_html: '<p><strong>Bold</strong></p>\n',
        color: '#abcdef',
        text_color: '#1F1E24',
        subscribed: false,
        ...more,
      }
      expect(created).toEqual([201, record])
      const { id, name } = created[1] as Label
      for (const key of [id, encodeURIComponent(name)]) {
        expect(await call(`GET ${at}/labels/${key}`)).toEqual([200, record])
      }
      expect(await call(`GET ${at}/labels`)).toEqual([200, [record]])

      const change = { new_name: `c of ${at}`, color: 'Navy', description: null }
      const changed = { ...record, name: `c of ${at}`, color: '#000080', text_color: '#FFFFFF' }
      expect(await call(`PUT ${at}/labels/${id}`, change)).toEqual([
        200,
        { ...changed, description: null, description_html: '' },
      ])
      expect(await call(`PUT ${at}/labels`, { name: `c of ${at}`, new_name: 'd' })).toMatchObject([
        200,
        { id, name: 'd', color: '#000080' },
      ])
      expect(await call(`PUT ${at}/labels/${id}`, {})).toMatchObject([
        400,
        { error: expect.stringContaining('at least one parameter must be provided') as string },
      ])
      expect(await call(`DELETE ${at}/labels?name=d`)).toEqual([204, ''])
      for (const method of ['GET', 'DELETE']) {
        expect(await call(`${method} ${at}/labels/${id}`)).toEqual([404, { message: '404 Label Not Found' }])
      }
    }
  })

  test('has a name that is unique among those of its project and the groups above it', async () => {
    const { call, ok, group, deep, own, project } = await openScene(open)
    const create = (at: string, name: string) => call(`POST ${at}/labels`, { name, ...RED })
    const taken = [409, { message: 'Label already exists' }]
    await ok(`POST ${group}/labels`, { name: 'bug', ...RED })
    for (const at of [group, project, deep]) expect([at, await create(at, 'bug')]).toEqual([at, taken])
    expect((await create(own, 'bug'))[0]).toBe(201)
    expect(await create(own, 'bug')).toEqual(taken)
    expect((await create(own, 'Bug'))[0]).toBe(201)
    // A group can take a name that its projects use.
    await ok(`POST ${deep}/labels`, { name: 'feature', ...RED })
    expect((await create(group, 'feature'))[0]).toBe(201)
    expect(await call(`PUT ${deep}/labels/feature`, { new_name: 'bug' })).toEqual([
      400,
      { message: { title: ['has already been taken'] } },
    ])
  })

  test('has a name without commas, and a color', async () => {
    const { call, own } = await openScene(open)
    const create = (body: object) => call(`POST ${own}/labels`, body)
    const refused = (problems: object) => [400, { message: problems }]
    expect(await create({ ...RED })).toEqual([400, { error: 'name is missing' }])
    expect(await create({ name: 'a' })).toEqual([400, { error: 'color is missing' }])
    expect(await create({ name: 'a,b', ...RED })).toEqual(refused({ title: ['is invalid'] }))
    expect(await create({ name: ' ', ...RED })).toEqual(refused({ title: ["can't be blank"] }))
    expect(await create({ name: 'a'.repeat(256), ...RED })).toEqual(
      refused({ title: ['is too long (maximum is 255 characters)'] }),
    )
    for (const color of ['', 'ff0000', '#ff', '#gg0000', 'reddish', 'transparent', 'rgb(1,2,3)']) {
      expect([color, await create({ name: 'a', color })]).toEqual([
        color,
        refused({ color: ['must be a valid color code'] }),
      ])
    }
    expect(await create({ name: 'a', color: '#FfF' })).toMatchObject([
      201,
      { color: '#FfF', text_color: '#1F1E24' },
    ])
  })

  test('is listed by name, with those of the groups that the caller may see', async () => {
    const scene = await openScene(open)
    const { ok, group, below, deep } = scene
    for (const [at, name, description] of [
      [group, 'b', 'A 100% text'],
      [below, 'c', 'x'],
      [deep, 'a', 'y'],
    ]) {
      await ok(`POST ${at}/labels`, { name, description, ...RED })
    }
    const member = await scene.person('member', below, 10)
    const stranger = await scene.person('stranger')
    expect(await names(scene, `${deep}/labels`)).toEqual(['a', 'b', 'c'])
    expect(await names(scene, `${deep}/labels?per_page=1&page=2`)).toEqual(['b'])
    expect(await names(scene, `${deep}/labels?include_ancestor_groups=false`)).toEqual(['a'])
    expect(await names(scene, `${deep}/labels?search=100%25%20T`)).toEqual(['b'])
    expect(await names(scene, `${below}/labels`, member)).toEqual(['b', 'c'])
    expect(await names(scene, `${below}/labels?include_ancestor_groups=false`)).toEqual(['c'])
    expect(await names(scene, `${group}/labels`)).toEqual(['b'])
    expect(await names(scene, `${group}/labels?include_descendant_groups=true`, member)).toEqual(['b', 'c'])
    expect(await names(scene, `${group}/labels?include_descendant_groups=true`, stranger)).toEqual(['b'])
  })

  test('of a group is seen in its projects, which give it a priority and change nothing else', async () => {
    const { call, ok, group, project, own } = await openScene(open)
    const { id } = await ok(`POST ${group}/labels`, { name: 'bug', ...RED })
    const path = `${project}/labels/${id}`
    expect(await call(`GET ${path}`)).toMatchObject([200, { is_project_label: false, priority: null }])
    expect((await call(`GET ${path}?include_ancestor_groups=false`))[0]).toBe(404)
    expect(await call(`PUT ${path}`, { priority: 0 })).toMatchObject([200, { priority: 0 }])
    expect(await call(`PUT ${path}`, { priority: null })).toMatchObject([200, { priority: null }])
    expect((await call(`PUT ${path}`, { new_name: 'x' }))[0]).toBe(404)
    expect((await call(`DELETE ${path}`))[0]).toBe(404)
    expect((await call(`GET ${own}/labels/${id}`))[0]).toBe(404)
  })

  test('has subscribers', async () => {
    const scene = await openScene(open)
    const { call, ok, group, project } = scene
    const user = await scene.person('user')
    await ok(`POST ${group}/labels`, { name: 'ours', ...RED })
    await ok(`POST ${project}/labels`, { name: 'mine', ...RED })
    for (const path of [`${project}/labels/mine`, `${project}/labels/ours`, `${group}/labels/ours`]) {
      const subscribe = () => call(`POST ${path}/subscribe`, {}, user)
      const unsubscribe = () => call(`POST ${path}/unsubscribe`, {}, user)
      expect(await unsubscribe()).toEqual([304, ''])
      expect(await subscribe()).toMatchObject([201, { subscribed: true }])
      expect(await subscribe()).toEqual([304, ''])
      expect(await call(`GET ${path}`)).toMatchObject([200, { subscribed: false }])
      expect(await call(`GET ${path}`, undefined, user)).toMatchObject([200, { subscribed: true }])
      expect(await unsubscribe()).toMatchObject([201, { subscribed: false }])
      expect((await call(`POST ${path}/subscribe`, {}, null))[0]).toBe(401)
    }
  })

  test('is read by all who may see issues or merge requests, and changed by reporters', async () => {
    const scene = await openScene(open)
    const { call, ok, project, group } = scene
    const [guest, reporter] = [
      await scene.person('guest', project, 10),
      await scene.person('reporter', project, 20),
    ]
    const stranger = await scene.person('stranger')
    const create = async (name: string, as: Person | null) =>
      (await call(`POST ${project}/labels`, { name, ...RED }, as))[0]
    expect([await create('a', null), await create('a', stranger), await create('a', guest)]).toEqual([
      401, 403, 403,
    ])
    expect(await create('a', reporter)).toBe(201)
    const list = async (as: Person | null) => (await call(`GET ${project}/labels`, undefined, as))[0]
    await ok(`PUT ${project}`, { issues_access_level: 'disabled', merge_requests_access_level: 'private' })
    expect([await list(null), await list(stranger), await list(guest)]).toEqual([401, 403, 200])
    // The role in a project gives none in its group.
    expect((await call(`POST ${group}/labels`, { name: 'g', ...RED }, reporter))[0]).toBe(403)
    expect((await call(`PUT ${project}/labels/a/promote`, {}, reporter))[0]).toBe(403)
  })

  test('ends with its project, and with its group', async () => {
    const { ok, call, group, below, deep } = await openScene(open)
    await ok(`POST ${deep}/labels`, { name: 'x', priority: 1, ...RED })
    await ok(`POST ${below}/labels`, { name: 'y', ...RED })
    await ok(`DELETE ${below}`)
    expect((await call(`GET ${deep}/labels/x`))[0]).toBe(404)
    for (const name of ['x', 'y']) await ok(`POST ${group}/labels`, { name, ...RED })
  })
})

describeOnDatabase('a project label that is promoted', (open) => {
  test('becomes one of the group, with the priorities and subscribers of those that it replaces', async () => {
    const scene = await openScene(open)
    const { call, ok, group, project, own } = scene
    const id = Number(group.split('/').at(-1))
    const sibling = `/projects/${(await ok('POST /projects', { name: 'second', namespace_id: id })).id}`
    const user = await scene.person('user', sibling, 20)
    await ok(`POST ${project}/labels`, { name: 'bug', color: '#111111', description: 'Text', priority: 3 })
    await ok(`POST ${sibling}/labels`, { name: 'bug', color: '#222222', priority: 5 })
    await ok(`POST ${sibling}/labels/bug/subscribe`, {}, user)
    const promoted = await ok(`PUT ${project}/labels/promote`, { name: 'bug' })
    expect(promoted).toMatchObject({ name: 'bug', color: '#111111', description: 'Text', subscribed: false })
    expect(promoted).not.toHaveProperty('priority')
    const shared = { id: promoted.id, is_project_label: false }
    expect(await call(`GET ${project}/labels`)).toMatchObject([200, [{ ...shared, priority: 3 }]])
    expect(await call(`GET ${sibling}/labels`, undefined, user)).toMatchObject([
      200,
      [{ ...shared, priority: 5, subscribed: true }],
    ])
    expect((await call(`PUT ${project}/labels/bug/promote`))[0]).toBe(404)
    await ok(`POST ${own}/labels`, { name: 'bug', ...RED })
    expect(await call(`PUT ${own}/labels/bug/promote`)).toEqual([
      400,
      { message: 'Failed to promote project label to group label' },
    ])
  })

  test('joins the group label of its name', async () => {
    const { call, ok, group, project } = await openScene(open)
    await ok(`POST ${project}/labels`, { name: 'bug', color: '#111111' })
    const { id } = await ok(`POST ${group}/labels`, { name: 'bug', color: '#222222' })
    const mine = (await ok<Label[]>(`GET ${project}/labels?include_ancestor_groups=false`))[0]?.id
    expect(await call(`PUT ${project}/labels/${mine}/promote`)).toMatchObject([200, { id, color: '#222222' }])
    expect(await call(`GET ${project}/labels`)).toMatchObject([200, [{ id }]])
  })
})

describeOnDatabase('the key of a label', (open) => {
  test('is an ID only if it is a number of digits, and never as a name in a parameter', async () => {
    const { call, ok, own } = await openScene(open)
    const first = await ok<Label>(`POST ${own}/labels`, { name: 'first', ...RED })
    const likeId = await ok<Label>(`POST ${own}/labels`, { name: `0x${first.id.toString(16)}`, ...RED })
    const digits = await ok<Label>(`POST ${own}/labels`, { name: String(first.id), ...RED })
    expect((await ok<Label>(`GET ${own}/labels/${likeId.name}`)).id).toBe(likeId.id)
    expect((await ok<Label>(`GET ${own}/labels/${digits.name}`)).id).toBe(first.id)
    expect(await call(`DELETE ${own}/labels?name=${digits.name}`)).toEqual([204, ''])
    const left = await ok<Label[]>(`GET ${own}/labels`)
    expect(left.map(({ id }) => id).sort()).toEqual([first.id, likeId.id])
  })

  test('finds no label of a group above that the caller may not see', async () => {
    const { call, ok, person } = await openScene(open)
    const visibility = 'private'
    const above = await ok('POST /groups', { name: 'Above', path: 'above', visibility })
    const inner = await ok('POST /groups', { name: 'Inner', path: 'inner', parent_id: above.id, visibility })
    const { id } = await ok(`POST /groups/${above.id}/labels`, { name: 'hidden', ...RED })
    const guest = await person('guest', `/groups/${inner.id}`, 10)
    const unknown = [404, { message: '404 Label Not Found' }]
    for (const key of [id, 'hidden']) {
      expect(await call(`GET /groups/${inner.id}/labels/${key}`, undefined, guest)).toEqual(unknown)
      expect(await call(`POST /groups/${inner.id}/labels/${key}/subscribe`, {}, guest)).toEqual(unknown)
      expect((await ok(`GET /groups/${inner.id}/labels/${key}`)).id).toBe(id)
    }
  })

  test('of a group has a subscription of its own in each project', async () => {
    const { call, ok, group, project } = await openScene(open)
    const { id } = await ok(`POST ${group}/labels`, { name: 'shared', ...RED })
    await ok(`POST ${group}/labels/${id}/subscribe`)
    expect(await ok(`GET ${project}/labels/${id}`)).toMatchObject({ subscribed: false })
    expect((await call(`POST ${project}/labels/${id}/unsubscribe`))[0]).toBe(304)
    expect(await ok(`POST ${project}/labels/${id}/subscribe`)).toMatchObject({ subscribed: true })
    expect(await ok(`POST ${project}/labels/${id}/unsubscribe`)).toMatchObject({ subscribed: false })
    expect(await ok(`GET ${group}/labels/${id}`)).toMatchObject({ subscribed: true })
  })
})

describeOnEachDatabase('two labels that take the same name at once', (open) => {
  test('leave the second request with 400', async () => {
    const { call, ok, own } = await openScene(open)
    const ids = [
      (await ok(`POST ${own}/labels`, { name: 'one', ...RED })).id,
      (await ok(`POST ${own}/labels`, { name: 'two', ...RED })).id,
    ]
    for (let round = 0; round < 10; round++) {
      const name = `same${round}`
      const results = await Promise.all(ids.map((id) => call(`PUT ${own}/labels/${id}`, { new_name: name })))
      results.sort(([a], [b]) => a - b)
      expect(results).toEqual([
        [200, expect.objectContaining({ name })],
        [400, { message: { title: ['has already been taken'] } }],
      ])
    }
  })
})

describeOnDatabase('the group labels of a project that leaves its group', (open) => {
  test.each([
    ['another group', 'other'],
    ['a personal namespace', 'root'],
  ])('are replaced in %s by labels of the same name or copies', async (_, to) => {
    const { ok, group, project } = await openScene(open)
    await ok('POST /groups', { name: 'Other', path: 'other' })
    const add = (at: string, name: string) => ok(`POST ${at}/labels`, { name, color: '#ff0000' })
    for (const name of ['bug', 'same']) await add(group, name)
    const own = await add(project, 'own')
    const same = to === 'other' ? await add('/groups/other', 'same') : undefined
    const bug = `${project}/labels/bug`
    await ok(`PUT ${bug}`, { priority: 3 })
    await ok(`POST ${bug}/subscribe`)
    const issue = await ok<{ iid: number }>(`POST ${project}/issues`, { title: 'a', labels: 'bug,same,own' })
    await ok(`PUT ${project}/transfer`, { namespace: to })
    const labels = await ok<Label[]>(`GET ${project}/labels`)
    expect(labels).toMatchObject([
      { name: 'bug', is_project_label: true, color: '#ff0000', priority: 3, subscribed: true },
      { id: own.id, name: 'own' },
      { name: 'same', ...(same ? { id: same.id, is_project_label: false } : { is_project_label: true }) },
    ])
    const list = `GET ${project}/issues?with_labels_details=true&iids[]=${issue.iid}`
    const [listed] = await ok<{ labels: Label[] }[]>(list)
    expect(listed?.labels.map(({ id }) => id)).toEqual(labels.map(({ id }) => id))
    expect((await ok<Label[]>(`GET ${group}/labels`)).map(({ name }) => name)).toEqual(['bug', 'same'])
  })
})
