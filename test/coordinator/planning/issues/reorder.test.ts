import { expect, test } from 'vitest'

import { describeOnDatabase } from '../../../support/databases.js'
import { testAtNight } from '../../../support/nightly.js'
import { type Made, type PlanningScene, planningSceneForFile } from '../support/planning-scene.js'

const openScene = planningSceneForFile()

/** Creates issues in a project, with one letter each as the title; by their titles. */
async function make({ ok }: PlanningScene, at: string, letters: string): Promise<Record<string, Made>> {
  const made: Record<string, Made> = {}
  for (const title of letters) made[title] = await ok(`POST ${at}/issues`, { title })
  return made
}

const ORDER = 'order_by=relative_position'

describeOnDatabase('the manual order of issues', (open) => {
  test('is changed without writing the issues that are not moved', async () => {
    const scene = await openScene(open)
    const { ok, titles, database, P } = scene
    const { b, c, d } = await make(scene, P, 'abcde')
    await ok(`PUT ${P}/issues/${d?.iid}/reorder`, { move_before_id: b?.id, move_after_id: c?.id })
    expect(await titles(`${P}/issues?${ORDER}`)).toEqual(['a', 'b', 'd', 'c', 'e'])
    const moved = database.selectFrom('issue').select('id').where('relative_position', 'is not', null)
    expect(await moved.execute()).toEqual([{ id: d?.id }])
    await make(scene, P, 'f')
    expect(await titles(`${P}/issues?${ORDER}`)).toEqual(['a', 'b', 'd', 'c', 'e', 'f'])
  })

  testAtNight('has room for any number of issues in one place', async () => {
    const scene = await openScene(open)
    const { ok, titles, P } = scene
    const letters = 'abcdefghijklmnopqrst'
    const made = await make(scene, P, letters)
    // Each comes directly after the first one, so that the room behind it is halved every time.
    for (const letter of letters.slice(2)) {
      const [before, after] = [made['a']?.id, made[letters[letters.indexOf(letter) - 1] ?? '']?.id]
      await ok(`PUT ${P}/issues/${made[letter]?.iid}/reorder`, {
        move_before_id: before,
        move_after_id: after,
      })
    }
    const reversed = letters.slice(1).split('').toReversed()
    expect(await titles(`${P}/issues?${ORDER}`)).toEqual(['a', ...reversed])
  })

  test('is the one of all projects of a group', async () => {
    const scene = await openScene(open)
    const { ok, call, person, titles, G, P, O } = scene
    const { a, b } = await make(scene, P, 'ab')
    const { x } = await make(scene, O, 'x')
    await ok(`PUT ${O}/issues/${x?.iid}/reorder`, { move_before_id: a?.id, move_after_id: b?.id })
    expect(await titles(`${G}/issues?${ORDER}`)).toEqual(['a', 'x', 'b'])
    await ok(`PUT ${P}/issues/${b?.iid}/reorder`, { move_before_id: a?.id, move_after_id: x?.id })
    expect(await titles(`${G}/issues?${ORDER}`)).toEqual(['a', 'b', 'x'])
    // Of two, the first comes after the second one.
    const wrong = { move_before_id: x?.id, move_after_id: a?.id }
    expect((await call(`PUT ${P}/issues/${b?.iid}/reorder`, wrong))[0]).toBe(422)
    expect((await call(`PUT ${P}/issues/${b?.iid}/reorder`, { move_after_id: b?.id }))[0]).toBe(422)
    const mary = await person('mary', P, 20)
    expect((await call(`PUT ${P}/issues/${b?.iid}/reorder`, { move_after_id: x?.id }, mary))[0]).toBe(404)
  })

  test('is that of the last move if several are made at once', async () => {
    const scene = await openScene(open)
    const { call, titles, P, O } = scene
    const made = { ...(await make(scene, P, 'abcdef')), ...(await make(scene, O, 'xyz')) }
    const moves = 'cdefyz'.split('').map((letter) => {
      const at = 'xyz'.includes(letter) ? O : P
      const neighbors = { move_before_id: made['a']?.id, move_after_id: made['x']?.id }
      return call(`PUT ${at}/issues/${made[letter]?.iid}/reorder`, neighbors)
    })
    expect((await Promise.all(moves)).map(([status]) => status)).toEqual(Array(6).fill(200))
    const order = await titles(`${scene.G}/issues?${ORDER}`)
    expect(order.slice(0, 1)).toEqual(['a'])
    expect(order.slice(1, order.indexOf('x')).toSorted()).toEqual(['b', 'c', 'd', 'e', 'f', 'y', 'z'])
  })
})
