import { expect, test } from 'vitest'

import type { Database } from '../../../../src/coordinator/database/connect.js'
import { inTransaction } from '../../../../src/coordinator/database/transaction.js'
import {
  hasLabels,
  labelsOfIssues,
  setIssueLabels,
} from '../../../../src/coordinator/planning/stores/issue-label-store.js'
import { insertIssue } from '../../../../src/coordinator/planning/stores/issue-store.js'
import {
  deleteLabelRow,
  findOrCreateLabels,
  insertLabel,
  type LabelOwner,
} from '../../../../src/coordinator/planning/stores/label-store.js'
import { moveLabel } from '../../../../src/coordinator/planning/stores/replace-label.js'
import { listAccountsOperations } from '../../../../src/coordinator/start/operations/accounts.js'
import { listProjectOperations } from '../../../../src/coordinator/start/operations/hosting.js'
import { describeOnDatabase, describeOnEachDatabase, type OpenDatabase } from '../../../support/databases.js'
import { sceneForFile } from '../../../support/scene-for-file.js'
import { RecordedRepositories } from '../../support/repositories.js'
import { addPerson } from '../../support/test-app.js'
import { openTestApp, openTestServices } from '../../support/test-coordinator.js'

interface Scene {
  database: Database
  /** `above` contains the group of the project; `other` is another group. */
  above: LabelOwner
  project: { project_id: number }
  other: LabelOwner
}

const openScene = sceneForFile(async (open: OpenDatabase): Promise<Scene> => {
  const repositories = await RecordedRepositories.open()
  const services = await openTestServices({ open, overrides: { repositories } })
  const app = openTestApp(services, {
    operations: (all, deps) => [...listProjectOperations(all, deps), ...listAccountsOperations(all, deps)],
  })
  const { database } = services
  const root = await addPerson(database, 'root', { admin: true })
  const make = async (route: string, body: object): Promise<number> =>
    (await app.call(root, `POST ${route}`, body)).json<{ id: number }>().id
  const above = await make('/groups', { name: 'Above', path: 'above' })
  const group = await make('/groups', { name: 'Team', path: 'team', parent_id: above })
  const other = await make('/groups', { name: 'Other', path: 'other' })
  const project_id = await make('/projects', { name: 'app', namespace_id: group })
  return { database, above: { group_id: above }, project: { project_id }, other: { group_id: other } }
})

async function addLabel({ database }: Scene, owner: LabelOwner, name: string): Promise<number> {
  const values = { name, color: '#123456', description: null }
  const row = await inTransaction(database, (tx) => insertLabel(tx, owner, values))
  if (!row) throw new Error(`the label ${name} exists`)
  return row.id
}

async function addIssue({ database, project }: Scene): Promise<number> {
  const now = Date.now()
  const author = await database
    .selectFrom('user')
    .select('id')
    .where('username', '=', 'root')
    .executeTakeFirstOrThrow()
  const values = { ...project, author_id: author.id, title: 'x', created_at: now, updated_at: now }
  return (await inTransaction(database, (tx) => insertIssue(tx, values))).id
}

function find({ database, project }: Scene, names: string[], mayCreate: boolean): Promise<number[]> {
  return inTransaction(database, (tx) => findOrCreateLabels(tx, project.project_id, names, { mayCreate }))
}

function rowsNamed({ database }: Scene, names: string[]) {
  return database
    .selectFrom('label')
    .select(['id', 'name', 'color', 'project_id'])
    .where('name', 'in', names)
    .orderBy('name')
    .execute()
}

describeOnDatabase('labels found by name', (open) => {
  test('are those of the project and of the groups above it, in the order of the names', async () => {
    const scene = await openScene(open)
    const ofGroup = await addLabel(scene, scene.above, 'shared')
    const own = await addLabel(scene, scene.project, 'bug')
    await addLabel(scene, scene.other, 'elsewhere')
    expect(await find(scene, [' shared ', 'bug', 'shared', 'elsewhere', 'none', ''], false)).toEqual([
      ofGroup,
      own,
    ])
    expect(await rowsNamed(scene, ['none'])).toEqual([])
  })

  test('prefer the label of the project to one of a group with the same name', async () => {
    const scene = await openScene(open)
    const own = await addLabel(scene, scene.project, 'bug')
    await addLabel(scene, scene.above, 'bug')
    expect(await find(scene, ['bug'], true)).toEqual([own])
  })

  test('are created in the project where they do not exist, except names that are too long', async () => {
    const scene = await openScene(open)
    const ofGroup = await addLabel(scene, scene.above, 'shared')
    const ids = await find(scene, ['new', 'shared', 'x'.repeat(256), 'Shared'], true)
    const [upper, made] = await rowsNamed(scene, ['new', 'Shared'])
    const { project_id } = scene.project
    expect(made).toMatchObject({ name: 'new', color: '#6699cc', project_id })
    expect(upper).toMatchObject({ name: 'Shared', project_id })
    expect(ids).toEqual([made?.id, ofGroup, upper?.id])
    expect(await rowsNamed(scene, ['x'.repeat(256)])).toEqual([])
  })
})

describeOnEachDatabase('the labels of issues', (open) => {
  test('are set, listed by name, filtered by, moved and deleted', async () => {
    const scene = await openScene(open)
    const { database, project } = scene
    const [bug, docs] = [
      await addLabel(scene, scene.project, 'bug'),
      await addLabel(scene, scene.above, 'docs'),
    ]
    const [both, one, none] = [await addIssue(scene), await addIssue(scene), await addIssue(scene)]
    await inTransaction(database, async (tx) => {
      await setIssueLabels(tx, both, [bug])
      await setIssueLabels(tx, both, [docs, bug])
      await setIssueLabels(tx, one, [bug, docs])
      await setIssueLabels(tx, one, [bug])
      await setIssueLabels(tx, none, [bug])
      await setIssueLabels(tx, none, [])
    })
    const namesOf = async () => {
      const labels = await labelsOfIssues(database, [both, one, none])
      return [both, one, none].map((id) => labels.get(id)?.map(({ name }) => name))
    }
    expect(await namesOf()).toEqual([['bug', 'docs'], ['bug'], undefined])

    const having = async (...names: string[]) => {
      const condition = hasLabels(names)
      if (!condition) throw new Error('no condition')
      const rows = await database
        .selectFrom('issue')
        .select('id')
        .where('project_id', '=', project.project_id)
        .where(() => condition)
        .orderBy('id')
        .execute()
      return rows.map(({ id }) => id)
    }
    expect(await having('bug')).toEqual([both, one])
    expect(await having('bug', 'docs')).toEqual([both])
    expect(await having('bug', 'None')).toEqual([])
    expect(await having('none')).toEqual([none])
    expect(await having('ANY')).toEqual([both, one])
    expect(hasLabels([''])).toBeNull()

    await inTransaction(database, async (tx) => {
      const from = (await labelsOfIssues(tx, [one])).get(one)?.[0]
      if (!from) throw new Error('no label')
      await moveLabel(tx, from, docs)
      await deleteLabelRow(tx, from.id)
    })
    expect(await namesOf()).toEqual([['docs'], ['docs'], undefined])
  })
})

describeOnEachDatabase('labels created by name at once', (open) => {
  test('exist once', async () => {
    const scene = await openScene(open)
    const found = await Promise.all(
      [1, 2, 3, 4].map((turn) => find(scene, turn % 2 === 0 ? ['a', 'b'] : ['b', 'a'], true)),
    )
    const ids = (await rowsNamed(scene, ['a', 'b'])).map(({ id }) => id).toSorted((a, b) => a - b)
    expect(ids).toHaveLength(2)
    expect(found.map((each) => each.toSorted((a, b) => a - b))).toEqual([ids, ids, ids, ids])
  })
})
