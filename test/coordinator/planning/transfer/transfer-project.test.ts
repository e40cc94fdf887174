import { expect, test } from 'vitest'

import { openSqlite } from '../../../support/databases.js'
import { testAtNight } from '../../../support/nightly.js'
import { openPlanningScene } from '../support/planning-scene.js'

interface Planned {
  labels: string[]
  milestone: { title: string; project_id?: number; group_id?: number } | null
}

test('a project that moves to another group keeps the labels and milestones of its issues and merge requests', async () => {
  const { ok, propose, project, P, G } = await openPlanningScene(openSqlite)
  await ok(`POST ${G}/labels`, { name: 'of the group', color: '#ff0000', description: 'text' })
  await ok(`POST ${G}/labels`, { name: 'in both', color: '#ff0000' })
  const milestone = await ok(`POST ${G}/milestones`, { title: 'v1', due_date: '2030-01-01' })
  const body = { labels: 'of the group,in both,own', milestone_id: milestone.id }
  await ok(`POST ${P}/issues`, { title: 'a', ...body })
  const { iid } = await propose('a', body)
  const epic = await ok(`POST ${G}/epics`, { title: 'stays' })
  const target = await ok('POST /groups', { name: 'Other', path: 'other', visibility: 'public' })
  const present = await ok(`POST /groups/${target.id}/labels`, { name: 'in both', color: '#00ff00' })
  await ok(`PUT ${P}/transfer`, { namespace: target.id })
  for (const path of [`${P}/issues/1`, `${P}/merge_requests/${iid}`]) {
    const planned = await ok<Planned>(`GET ${path}`)
    expect(planned).toMatchObject({
      labels: ['in both', 'of the group', 'own'],
      milestone: { title: 'v1', project_id: project },
    })
    const events = await ok<{ label: { id: number; name: string } }[]>(`GET ${path}/resource_label_events`)
    const names = events.map(({ label }) => label.name)
    expect(names.toSorted()).toEqual(['in both', 'of the group', 'own'])
    expect(events.find(({ label }) => label.name === 'in both')?.label.id).toBe(present.id)
    const milestones = await ok<{ milestone: object }[]>(`GET ${path}/resource_milestone_events`)
    expect(milestones).toMatchObject([{ milestone: { title: 'v1', project_id: project } }])
  }
  for (const list of ['issues', 'merge_requests']) {
    expect(await ok(`GET ${P}/${list}?labels=in%20both&milestone=v1`)).toHaveLength(1)
    expect(await ok(`GET ${G}/${list}`)).toEqual([])
    expect(await ok(`GET /groups/${target.id}/${list}`)).toHaveLength(1)
  }
  expect(await ok(`GET ${G}/epics`)).toMatchObject([{ id: epic.id }])
  expect(await ok(`GET ${P}/labels`)).toMatchObject([
    { name: 'in both', color: '#00ff00', is_project_label: false },
    { name: 'of the group', color: '#ff0000', description: 'text', is_project_label: true },
    { name: 'own', is_project_label: true },
  ])
})

testAtNight(
  'a group that moves takes the labels and milestones of its former parent along, for its projects',
  async () => {
    const { ok } = await openPlanningScene(openSqlite)
    const open = { visibility: 'public' }
    const parent = await ok('POST /groups', { name: 'Parent', path: 'parent', ...open })
    const child = await ok('POST /groups', { name: 'Child', path: 'child', parent_id: parent.id, ...open })
    const project = await ok('POST /projects', { name: 'app', namespace_id: child.id, ...open })
    await ok(`POST /groups/${parent.id}/labels`, { name: 'of the parent', color: '#ff0000' })
    await ok(`POST /groups/${child.id}/labels`, { name: 'of the child', color: '#00ff00' })
    const milestone = await ok(`POST /groups/${parent.id}/milestones`, { title: 'v1' })
    const body = { title: 'a', labels: 'of the parent,of the child', milestone_id: milestone.id }
    await ok(`POST /projects/${project.id}/issues`, body)
    await ok(`POST /groups/${child.id}/transfer`)
    expect(await ok(`GET /projects/${project.id}/issues/1`)).toMatchObject({
      labels: ['of the child', 'of the parent'],
      milestone: { title: 'v1', project_id: project.id },
    })
    expect(await ok(`GET /projects/${project.id}/labels`)).toMatchObject([
      { name: 'of the child', is_project_label: false },
      { name: 'of the parent', color: '#ff0000', is_project_label: true },
    ])
    expect(await ok(`GET /projects/${project.id}/milestones`)).toMatchObject([{ title: 'v1' }])
  },
)

test('to-do items of a project that a user may not see any more are not shown', async () => {
  const { ok, person, root, P, G } = await openPlanningScene(openSqlite)
  const bob = await person('bob', G, 30)
  await ok(`POST ${P}/issues`, { title: 'a', assignee_ids: [bob.id] }, root)
  expect(await ok('GET /todos', undefined, bob)).toHaveLength(1)
  const closed = await ok('POST /groups', { name: 'Closed', path: 'closed', visibility: 'private' })
  await ok(`PUT ${P}/transfer`, { namespace: closed.id })
  expect(await ok('GET /todos', undefined, bob)).toEqual([])
  expect(await ok('GET /issues?scope=assigned_to_me', undefined, bob)).toEqual([])
})
