import { expect, test } from 'vitest'

import { describeOnDatabase } from '../../../support/databases.js'
import { testAtNight } from '../../../support/nightly.js'
import { type Made, type PlanningScene, planningSceneForFile } from '../support/planning-scene.js'

const openScene = planningSceneForFile()

const epic = ({ ok, G }: PlanningScene, title: string) => ok(`POST ${G}/epics`, { title })
const issue = ({ ok, P }: PlanningScene, title: string, more: object = {}) =>
  ok(`POST ${P}/issues`, { title, ...more })

describeOnDatabase('the issues of an epic', (open) => {
  test('are added, put into an order and removed', async () => {
    const scene = await openScene(open)
    const { ok, call, titles, G } = scene
    const { id, iid } = await epic(scene, 'e')
    const [a, b, c] = [await issue(scene, 'a'), await issue(scene, 'b'), await issue(scene, 'c')]
    const E = `${G}/epics/${iid}/issues`
    const first = await ok(`POST ${E}/${a.id}`)
    expect(first).toMatchObject({
      epic: { id, iid, title: 'e' },
      issue: { id: a.id, epic: { id, iid, title: 'e', url: `/groups/team/-/epics/${iid}` }, epic_iid: iid },
    })
    const links = [first, await ok(`POST ${E}/${b.id}`), await ok(`POST ${E}/${c.id}`)]
    expect(await titles(E)).toEqual(['c', 'b', 'a'])
    const last = links[2]?.id
    const listed = await ok<Made[]>(`PUT ${E}/${last}`, { move_before_id: first.id })
    expect(listed).toMatchObject([{ title: 'b' }, { title: 'a' }, { title: 'c', epic_issue_id: last }])
    expect((await call(`PUT ${E}/${last}`, { move_before_id: 999 }))[0]).toBe(422)
    expect(await ok(`DELETE ${E}/${last}`)).toMatchObject({ id: last, issue: { id: c.id, epic: null } })
    expect((await call(`DELETE ${E}/${last}`))[0]).toBe(404)
    expect(await titles(E)).toEqual(['b', 'a'])
  })

  testAtNight('belong to one epic, which the issue names and which is set with the issue', async () => {
    const scene = await openScene(open)
    const { ok, titles, call, G, P } = scene
    const [one, other] = [await epic(scene, 'one'), await epic(scene, 'other')]
    const { id, iid } = await issue(scene, 'a', { epic_id: one.id })
    const E = (at: Made) => `${G}/epics/${at.iid}/issues`
    expect(await titles(E(one))).toEqual(['a'])
    await ok(`POST ${E(other)}/${id}`)
    expect([await titles(E(one)), await titles(E(other))]).toEqual([[], ['a']])
    expect(await ok(`PUT ${P}/issues/${iid}`, { epic_id: one.id })).toMatchObject({
      epic_id: one.id,
      epic_iid: one.iid,
      epic: { title: 'one', group_id: Number(G.split('/')[2]) },
    })
    await issue(scene, 'b')
    const found = (wanted: number | string) => titles(`${P}/issues?epic_id=${wanted}`)
    expect([await found(one.id), await found(other.id)]).toEqual([['a'], []])
    expect([await found('Any'), await found('None')]).toEqual([['a'], ['b']])
    await ok(`DELETE ${G}/epics/${one.iid}`)
    expect(await ok(`GET ${P}/issues/${iid}`)).toMatchObject({ epic: null, epic_id: null, epic_iid: null })
    await ok(`PUT ${P}/issues/${iid}`, { epic_id: other.id })
    expect(await ok(`PUT ${P}/issues/${iid}`, { epic_id: 0 })).toMatchObject({ epic: null })
    expect((await call(`PUT ${P}/issues/${iid}`, { epic_id: 999 }))[0]).toBe(404)
  })

  testAtNight('stay in it when they are moved to another project', async () => {
    const scene = await openScene(open)
    const { ok, titles, G, P, other } = scene
    const { id, iid } = await epic(scene, 'e')
    const moved = await issue(scene, 'a', { epic_id: id })
    await ok(`POST ${P}/issues/${moved.iid}/move`, { to_project_id: other })
    expect(await ok<object[]>(`GET ${G}/epics/${iid}/issues`)).toMatchObject([{ project_id: other }])
    expect(await titles(`${G}/epics/${iid}/issues`)).toEqual(['a'])
  })

  test('are changed by reporters of the group and of the project, and shown to those who see them', async () => {
    const scene = await openScene(open)
    const { ok, call, person, titles, G, P, O } = scene
    const { id, iid } = await epic(scene, 'e')
    const E = `${G}/epics/${iid}/issues`
    const secret = await issue(scene, 'secret', { confidential: true })
    const own = await ok(`POST ${O}/issues`, { title: 'private' })
    const [guest, inProject] = [await person('guest', G, 10), await person('reporter', P, 20)]
    await ok(`POST ${E}/${secret.id}`)
    const link = await ok(`POST ${E}/${own.id}`)
    expect((await call(`POST ${E}/${secret.id}`, undefined, guest))[0]).toBe(403)
    expect(await titles(E, guest)).toEqual(['private'])
    expect(await titles(E, inProject)).toEqual(['secret'])
    expect(await call(`GET ${E}`, undefined, null)).toEqual([200, []])
    // A reporter of the project alone changes no epic.
    expect((await call(`PUT ${P}/issues/${secret.iid}`, { epic_id: id + 1 }, inProject))[0]).toBe(404)
    const another = await epic(scene, 'another')
    expect((await call(`PUT ${P}/issues/${secret.iid}`, { epic_id: another.id }, inProject))[0]).toBe(403)
    // A reporter of the group changes no issue of a project in which he is none.
    const lonely = await ok('POST /projects', { name: 'lonely', visibility: 'public' })
    const far = await ok(`POST /projects/${lonely.id}/issues`, { title: 'far' })
    const inGroup = await person('inGroup', G, 20)
    expect((await call(`POST ${E}/${far.id}`, undefined, inGroup))[0]).toBe(403)
    await ok(`PUT /projects/${lonely.id}`, { visibility: 'private' })
    expect((await call(`POST ${E}/${far.id}`, undefined, inGroup))[0]).toBe(404)
    expect((await call(`DELETE ${E}/${link.id}`, undefined, inGroup))[0]).toBe(200)
  })

  test('do not name an epic of a group that the caller may not see', async () => {
    const scene = await openScene(open)
    const { ok, call, person, P } = scene
    const dark = await ok('POST /groups', { name: 'Dark', path: 'dark' })
    const hidden = await ok(`POST /groups/${dark.id}/epics`, { title: 'hidden' })
    const { iid } = await issue(scene, 'a', { epic_id: hidden.id })
    expect(await ok(`GET ${P}/issues/${iid}`)).toMatchObject({ epic_id: hidden.id })
    const mary = await person('mary', P, 20)
    for (const path of [`${P}/issues/${iid}`, `${P}/issues`]) {
      const [, body] = await call(`GET ${path}`, undefined, mary)
      expect([body].flat()).toMatchObject([{ epic: null, epic_id: null, epic_iid: null }])
    }
    expect(await call(`GET ${P}/issues?epic_id=${hidden.id}`, undefined, mary)).toEqual([200, []])
  })
})
