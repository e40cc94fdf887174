import { expect, test } from 'vitest'

import { describeOnDatabase } from '../../../support/databases.js'
import { testAtNight } from '../../../support/nightly.js'
import { sceneForFile } from '../../../support/scene-for-file.js'
import { openPlanningScene as buildPlanningScene } from '../support/planning-scene.js'

const openPlanningScene = sceneForFile(buildPlanningScene)

interface Event {
  id: number
  user: { username: string }
  resource_type: string
  resource_id: number
  label?: { name: string } | null
  milestone?: { title: string } | null
  state?: string
  action?: string
}

describeOnDatabase('the changes of an issue', (open) => {
  test('of labels, milestone and state are listed in their order', async () => {
    const { ok, call, person, P, database } = await openPlanningScene(open)
    const rita = await person('rita', P, 20)
    const [v1, v2] = [
      await ok(`POST ${P}/milestones`, { title: 'v1' }),
      await ok(`POST ${P}/milestones`, { title: 'v2' }),
    ]
    const issue = await ok(`POST ${P}/issues`, { title: 'a', labels: 'x,y', milestone_id: v1.id })
    const at = `${P}/issues/${issue.iid}`
    await ok(`PUT ${at}`, { remove_labels: 'x', milestone_id: v2.id, state_event: 'close' }, rita)
    await ok(`PUT ${at}`, { milestone_id: 0, state_event: 'reopen', title: 'b' }, rita)
    await ok(`PUT ${at}`, { title: 'c' }, rita)
    const events = (kind: string) => ok<Event[]>(`GET ${at}/resource_${kind}_events`)
    const labels = await events('label')
    expect(labels.map(({ user, label, action }) => [user.username, label?.name, action])).toEqual([
      ['root', 'x', 'add'],
      ['root', 'y', 'add'],
      ['rita', 'x', 'remove'],
    ])
    expect(labels[0]).toMatchObject({ resource_type: 'Issue', resource_id: issue.id })
    const milestones = await events('milestone')
    expect(milestones.map(({ milestone, action }) => [milestone?.title, action])).toEqual([
      ['v1', 'add'],
      ['v1', 'remove'],
      ['v2', 'add'],
      ['v2', 'remove'],
    ])
    const states = await events('state')
    expect(states.map(({ user, state }) => [user.username, state])).toEqual([
      ['rita', 'closed'],
      ['rita', 'reopened'],
    ])
    const [closed] = states
    expect(await ok<Event>(`GET ${at}/resource_state_events/${closed?.id}`)).toEqual(closed)
    expect((await call(`GET ${at}/resource_label_events/${closed?.id}`))[0]).toBe(404)
    await ok(`DELETE ${P}/labels/y`)
    expect((await events('label'))[1]).toMatchObject({ label: null, action: 'add' })
    await ok(`DELETE ${at}`)
    expect(await database.selectFrom('resource_event').select('id').execute()).toEqual([])
  })

  test('are hidden with a confidential issue', async () => {
    const { ok, call, person, P } = await openPlanningScene(open)
    const stranger = await person('stranger')
    const { iid } = await ok(`POST ${P}/issues`, { title: 'a', confidential: true, labels: 'x' })
    const list = `GET ${P}/issues/${iid}/resource_label_events`
    expect((await call(list, undefined, stranger))[0]).toBe(404)
    expect((await call(list))[0]).toBe(200)
  })

  testAtNight('belong to the group label that replaces a promoted one', async () => {
    const { ok, P } = await openPlanningScene(open)
    const { iid } = await ok(`POST ${P}/issues`, { title: 'a', labels: 'x' })
    const { id } = await ok(`PUT ${P}/labels/x/promote`)
    expect(await ok<Event[]>(`GET ${P}/issues/${iid}/resource_label_events`)).toMatchObject([
      { label: { id, name: 'x', text_color: expect.stringMatching(/^#/) as string, description_html: '' } },
    ])
  })

  testAtNight('belong to the user ghost when their user is deleted', async () => {
    const { ok, call, person, P } = await openPlanningScene(open)
    const rita = await person('rita', P, 20)
    const { iid } = await ok(`POST ${P}/issues`, { title: 'a' })
    await ok(`PUT ${P}/issues/${iid}`, { state_event: 'close' }, rita)
    expect((await call(`DELETE /users/${rita.id}`))[0]).toBe(204)
    await expect
      .poll(async () => (await ok<Event[]>(`GET ${P}/issues/${iid}/resource_state_events`))[0]?.user.username)
      .toBe('ghost')
  })
})

describeOnDatabase('the burndown of a milestone', (open) => {
  testAtNight('shows when the issues were created, closed and reopened that the caller may see', async () => {
    const { ok, call, database, person, P, G, O } = await openPlanningScene(open)
    const stranger = await person('stranger')
    const { id: milestone_id } = await ok(`POST ${G}/milestones`, { title: 'v1' })
    const a = await ok(`POST ${P}/issues`, { title: 'a', weight: 3, milestone_id })
    const b = await ok(`POST ${O}/issues`, { title: 'b', milestone_id })
    await ok(`POST ${P}/issues`, { title: 'without' })
    await ok(`PUT ${P}/issues/${a.iid}`, { state_event: 'close' })
    await ok(`PUT ${P}/issues/${a.iid}`, { state_event: 'reopen' })
    await database
      .updateTable('issue')
      .set({ state: 'closed', closed_at: Date.now() + 1000 })
      .where('id', '=', b.id)
      .execute()
    const list = `GET ${G}/milestones/${milestone_id}/burndown_events`
    const shown = async (path: string, as?: typeof stranger) =>
      (await ok<{ weight: number | null; action: string }[]>(path, undefined, as)).map(
        ({ weight, action }) => `${action} ${weight}`,
      )
    const ofA = ['created 3', 'closed 3', 'reopened 3']
    expect((await shown(list)).toSorted()).toEqual([...ofA, 'created null', 'closed null'].toSorted())
    expect((await shown(list)).at(-1)).toBe('closed null')
    expect(await shown(list, stranger)).toEqual(ofA)
    expect(await shown(`${list}?per_page=1&page=2`, stranger)).toEqual(['closed 3'])
    expect((await call(`GET ${P}/milestones/${milestone_id}/burndown_events`))[0]).toBe(404)
    const own = await ok(`POST ${P}/milestones`, { title: 'own' })
    await ok(`PUT ${P}/issues/${a.iid}`, { milestone_id: own.id })
    expect(await shown(`GET ${P}/milestones/${own.id}/burndown_events`)).toEqual(ofA)
  })
})
