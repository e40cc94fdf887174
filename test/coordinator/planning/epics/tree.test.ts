import { expect, test } from 'vitest'

import { describeOnDatabase } from '../../../support/databases.js'
import { testAtNight } from '../../../support/nightly.js'
import { type Made, type PlanningScene, planningSceneForFile } from '../support/planning-scene.js'

const openScene = planningSceneForFile()

const epic = ({ ok, G }: PlanningScene, title: string) => ok(`POST ${G}/epics`, { title })

/** A private group, in which `root` alone is a member; its address. */
async function privateGroup({ ok }: PlanningScene): Promise<string> {
  return `/groups/${(await ok('POST /groups', { name: 'Dark', path: 'dark' })).id}`
}

describeOnDatabase('an epic with children', (open) => {
  test('has them in an order that is changed, and loses them', async () => {
    const scene = await openScene(open)
    const { ok, call, titles, G } = scene
    const [top, a, b] = [await epic(scene, 'top'), await epic(scene, 'a'), await epic(scene, 'b')]
    const C = `${G}/epics/${top.iid}/epics`
    expect(await ok(`POST ${C}/${a.id}`)).toMatchObject({
      id: a.id,
      parent_id: top.id,
      parent_iid: top.iid,
      _links: { parent: expect.stringContaining(`/epics/${top.iid}`) as string },
    })
    await ok(`POST ${C}/${b.id}`)
    const made = await ok(`POST ${C}`, { title: 'c' })
    expect(made).toMatchObject({ title: 'c', parent_id: top.id, has_children: false, reference: '&4' })
    expect(await titles(C)).toEqual(['c', 'b', 'a'])
    const moved = await ok<{ title: string }[]>(`PUT ${C}/${a.id}`, { move_before_id: made.id })
    expect(moved.map(({ title }) => title)).toEqual(['c', 'a', 'b'])
    expect((await call(`PUT ${C}/${a.id}`, { move_after_id: a.id }))[0]).toBe(422)
    expect((await call(`PUT ${C}/${a.id}`))[0]).toBe(400)
    expect(await ok(`DELETE ${C}/${a.id}`)).toMatchObject({ id: a.id, parent_id: null })
    expect((await call(`DELETE ${C}/${a.id}`))[0]).toBe(404)
    await ok(`DELETE ${G}/epics/${top.iid}`)
    expect(await ok(`GET ${G}/epics/${b.iid}`)).toMatchObject({ parent_id: null })
  })

  testAtNight(
    'records changes of its fields and of the epics around it, without the names of hidden groups',
    async () => {
      const scene = await openScene(open)
      const { ok, root, G } = scene
      const [top, a] = [await epic(scene, 'top'), await epic(scene, 'a*')]
      const notes = async ({ id }: Made, group = G) =>
        (await ok<{ body: string }[]>(`GET ${group}/epics/${id}/notes?sort=asc`)).map(({ body }) => body)
      await ok(`PUT ${G}/epics/${a.iid}`, { title: 'b', description: 'x', due_date: '2030-01-02' })
      await ok(`PUT ${G}/epics/${a.iid}`, { due_date: null, state_event: 'close' })
      await ok(`PUT ${G}/epics/${a.iid}`, { state_event: 'reopen', title: 'b' })
      const changed = ['changed title from **a\\*** to **b**', 'changed the description']
      const dates = ['changed due date to 2030-01-02', 'removed due date 2030-01-02']
      const all = [...changed, ...dates, 'closed', 'reopened']
      expect(await notes(a)).toEqual(all)
      const C = `${G}/epics/${top.iid}/epics`
      await ok(`POST ${C}/${a.id}`)
      const other = await epic(scene, 'other')
      await ok(`POST ${G}/epics/${other.iid}/epics/${a.id}`)
      await ok(`DELETE ${G}/epics/${other.iid}/epics/${a.id}`)
      const moves = [`added parent epic &${top.iid}`, `removed parent epic &${top.iid}`]
      const others = [`added parent epic &${other.iid}`, `removed parent epic &${other.iid}`]
      expect(await notes(a)).toEqual([...all, ...moves, ...others])
      expect(await notes(top)).toEqual([`added child epic &${a.iid}`, `removed child epic &${a.iid}`])
      await ok(`POST ${C}`, { title: 'new' })
      const dark = await privateGroup(scene)
      const hidden = await ok(`POST ${dark}/epics`, { title: 'hidden' })
      await ok(`POST ${C}/${hidden.id}`, undefined, root)
      expect((await notes(top)).slice(2)).toEqual(['added child epic &4', 'added child epic'])
      expect(await notes(hidden, dark)).toEqual(['added parent epic'])
    },
  )

  testAtNight('is never above itself, and has at most six levels below it', async () => {
    const scene = await openScene(open)
    const { ok, call, G } = scene
    const epics: Made[] = []
    for (let level = 0; level < 8; level++) epics.push(await epic(scene, `level ${level}`))
    const put = (parent: number, child: number) =>
      call(`POST ${G}/epics/${epics[parent]?.iid}/epics/${epics[child]?.id}`)
    // From below, so that the levels under the child count.
    for (let level = 5; level >= 0; level--) expect((await put(level, level + 1))[0]).toBe(201)
    expect(await put(6, 7)).toEqual([
      400,
      { message: '400 Bad request - At most 7 epics may be above each other.' },
    ])
    expect((await put(7, 0))[0]).toBe(400)
    expect((await put(2, 0))[0]).toBe(400)
    expect((await put(2, 2))[0]).toBe(400)
    expect(await ok(`GET ${G}/epics/1`)).toMatchObject({ parent_id: null })
  })

  testAtNight('takes epics of groups in which the caller is a reporter, and hides others', async () => {
    const scene = await openScene(open)
    const { ok, call, person, titles, G } = scene
    const top = await epic(scene, 'top')
    const D = await privateGroup(scene)
    const dark = await ok(`POST ${D}/epics`, { title: 'dark' })
    const mary = await person('mary', G, 20)
    const C = `${G}/epics/${top.iid}/epics`
    expect((await call(`POST ${C}/${dark.id}`, undefined, mary))[0]).toBe(404)
    await ok(`POST ${D}/members`, { user_id: mary.id, access_level: 10 })
    expect((await call(`POST ${C}/${dark.id}`, undefined, mary))[0]).toBe(403)
    await ok(`POST ${C}/${dark.id}`)
    expect(await titles(C, mary)).toEqual(['dark'])
    expect(await call(`GET ${C}`, undefined, null)).toEqual([200, []])
    const below = await ok(`POST ${D}/epics`, { title: 'parent' })
    await ok(`POST ${D}/epics/${below.iid}/epics/${top.id}`)
    expect(await call(`GET ${G}/epics/${top.iid}`, undefined, null)).toMatchObject([
      200,
      { parent_id: null, parent_iid: null, _links: { parent: null } },
    ])
  })
})

describeOnDatabase('an epic with links', (open) => {
  testAtNight('shows them from both ends, and deletes them', async () => {
    const scene = await openScene(open)
    const { ok, call, group, G } = scene
    const [a, b] = [await epic(scene, 'a'), await epic(scene, 'b')]
    const [A, B] = [a, b].map(({ iid }) => `${G}/epics/${iid}/related_epics`)
    const target = { target_group_id: group, target_epic_iid: b.iid }
    const link = await ok(`POST ${A}`, { ...target, link_type: 'blocks' })
    expect(link).toMatchObject({
      link_type: 'blocks',
      source_epic: { id: a.id },
      target_epic: { id: b.id },
    })
    expect(await ok(`GET ${A}`)).toMatchObject([
      { id: b.id, related_epic_link_id: link.id, link_type: 'blocks' },
    ])
    expect(await ok(`GET ${B}`)).toMatchObject([{ id: a.id, link_type: 'is_blocked_by' }])
    const same = { target_group_id: 'TEAM', target_epic_iid: a.iid }
    expect(await call(`POST ${B}`, same)).toEqual([409, { message: 'Epic(s) already assigned' }])
    expect((await call(`POST ${A}`, { ...target, target_epic_iid: a.iid }))[0]).toBe(404)
    expect(await ok(`DELETE ${B}/${link.id}`)).toMatchObject({ id: link.id, source_epic: { id: b.id } })
    expect(await ok(`GET ${A}`)).toEqual([])
    expect((await call(`DELETE ${B}/${link.id}`))[0]).toBe(404)
  })

  test('hides those to epics of groups that the caller may not see', async () => {
    const scene = await openScene(open)
    const { ok, call, person, G } = scene
    const a = await epic(scene, 'a')
    const D = await privateGroup(scene)
    const dark = await ok(`POST ${D}/epics`, { title: 'dark' })
    const A = `${G}/epics/${a.iid}/related_epics`
    const target = { target_group_id: 'dark', target_epic_iid: dark.iid }
    const mary = await person('mary', G, 20)
    expect((await call(`POST ${A}`, target, mary))[0]).toBe(404)
    const link = await ok(`POST ${A}`, target)
    expect(await call(`GET ${A}`, undefined, mary)).toEqual([200, []])
    expect((await call(`DELETE ${A}/${link.id}`, undefined, mary))[0]).toBe(404)
  })
})
