import { expect, test } from 'vitest'

import type { Project, User } from '../../../../src/coordinator/access/caller.js'
import type { TransferPart } from '../../../../src/coordinator/http/archive-part.js'
import { issueLinkPart, issuePart } from '../../../../src/coordinator/planning/issues/transfer.js'
import { describeOnDatabase, type OpenDatabase } from '../../../support/databases.js'
import { openPlanningScene } from '../support/planning-scene.js'

async function openScene(open: OpenDatabase) {
  const scene = await openPlanningScene(open)
  const { database } = scene
  const projectWith = (id: number): Promise<Project> =>
    database.selectFrom('project').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  const userNamed = (username: string): Promise<User> =>
    database.selectFrom('user').selectAll().where('username', '=', username).executeTakeFirstOrThrow()
  const parts = [issuePart(database), issueLinkPart(database)]
  const recordsOf = async (part: TransferPart, id: number): Promise<object[]> => {
    const records: object[] = []
    for await (const record of part.read(await projectWith(id))) records.push(record)
    return records
  }
  /** Copies all records from one project to another, as an archive does. */
  const transfer = async (from: number, to: number, importer: string): Promise<void> => {
    const target = { project: await projectWith(to), importer: await userNamed(importer) }
    for (const part of parts) {
      for (const record of await recordsOf(part, from)) {
        await part.write(target, JSON.parse(JSON.stringify(record)))
      }
    }
  }
  const all = async (id: number) => Promise.all(parts.map((part) => recordsOf(part, id)))
  return { ...scene, parts, projectWith, userNamed, transfer, all }
}

/** Two linked issues, the first one with all that the archive keeps. */
async function fill({ ok, person, P, O }: Awaited<ReturnType<typeof openScene>>) {
  const rita = await person('rita', P, 20)
  await ok(`POST ${O}/members`, { user_id: rita.id, access_level: 20 })
  for (const at of [P, O]) await ok(`POST ${at}/milestones`, { title: 'v1' })
  const [milestone] = await ok<{ id: number }[]>(`GET ${P}/milestones`)
  await ok(`POST ${P}/labels`, { name: 'bug', color: '#ff0000' })
  const made = await ok(
    `POST ${P}/issues`,
    {
      title: 'a',
      description: 'text',
      labels: 'bug,new',
      assignee_ids: [rita.id],
      weight: 3,
      milestone_id: milestone?.id,
      due_date: '2030-01-01',
      issue_type: 'incident',
    },
    rita,
  )
  await ok(`POST ${P}/issues/${made.iid}/time_estimate`, { duration: '1h' })
  await ok(`PUT ${P}/issues/${made.iid}`, { state_event: 'close', discussion_locked: true }, rita)
  const deleted = await ok(`POST ${P}/issues`, { title: 'deleted' })
  await ok(`DELETE ${P}/issues/${deleted.iid}`)
  const second = await ok(`POST ${P}/issues`, { title: 'b', confidential: true })
  const link = { target_project_id: 0, target_issue_iid: second.iid, link_type: 'blocks' }
  const { id } = await ok(`GET ${P}`)
  await ok(`POST ${P}/issues/${made.iid}/links`, { ...link, target_project_id: id })
  return { rita, iid: made.iid, second: second.iid }
}

describeOnDatabase('the issues of an archive', (open) => {
  test('come out as they went in, with their numbers, people and links', async () => {
    const scene = await openScene(open)
    const { ok, project, other, O, transfer, all } = scene
    const { iid, second } = await fill(scene)
    await transfer(project, other, 'root')
    expect(await all(other)).toEqual(await all(project))
    expect(await ok(`GET ${O}/issues/${iid}`)).toMatchObject({
      title: 'a',
      state: 'closed',
      labels: ['bug', 'new'],
      weight: 3,
      due_date: '2030-01-01',
      milestone: { title: 'v1', project_id: other },
      author: { username: 'rita' },
      assignees: [{ username: 'rita' }],
      closed_by: { username: 'rita' },
      issue_type: 'incident',
      time_stats: { time_estimate: 3600 },
    })
    expect(await ok(`GET ${O}/issues/${iid}/resource_state_events`)).toMatchObject([
      { state: 'closed', user: { username: 'rita' } },
    ])
    expect(await ok(`GET ${O}/issues/${iid}/links`)).toMatchObject([{ iid: second, link_type: 'blocks' }])
    expect(await ok(`GET ${O}`)).toMatchObject({ open_issues_count: 1 })
    expect(await ok(`POST ${O}/issues`, { title: 'next' })).toMatchObject({ iid: second + 1 })
  })

  test('belong to the importer who is no administrator, and are assigned to nobody', async () => {
    const scene = await openScene(open)
    const { ok, project, other, O, transfer } = scene
    const { iid } = await fill(scene)
    await scene.person('importer', O, 50)
    await transfer(project, other, 'importer')
    expect(await ok(`GET ${O}/issues/${iid}`)).toMatchObject({
      author: { username: 'importer' },
      closed_by: { username: 'importer' },
      assignees: [],
    })
  })

  test('are refused with the number of another issue, and without a title', async () => {
    const { ok, other, O, parts, projectWith, userNamed } = await openScene(open)
    await ok(`POST ${O}/issues`, { title: 'a' })
    const target = { project: await projectWith(other), importer: await userNamed('root') }
    const time = '2030-01-01T00:00:00Z'
    const record = { iid: 1, title: 'b', state: 'opened', created_at: time, updated_at: time }
    const [issues, links] = parts
    await expect(issues?.write(target, record)).rejects.toMatchObject({ status: 409 })
    await expect(issues?.write(target, { ...record, iid: 2, title: ' ' })).rejects.toMatchObject({
      status: 400,
    })
    const link = { source_iid: 1, target_iid: 9, link_type: 'blocks' }
    await expect(links?.write(target, link)).rejects.toMatchObject({ status: 404 })
    expect(issues?.identityOf(record)).toBe('1')
  })
})
