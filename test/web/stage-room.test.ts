import { expect, test } from 'vitest'

import { stageRoom } from '../../src/web/statuses/stage-room.js'

const stages = (...statuses: string[]) => statuses.map((status, index) => ({ name: `s${index}`, status }))

test('stages with room for a mark each get one', () => {
  const all = stages('success', 'running')
  expect(stageRoom(all, 2)).toMatchObject({ shown: all, rest: [] })
})

test('further stages share a mark with the status that says most', () => {
  const many = stages(...Array.from({ length: 50 }, (_none, index) => (index === 40 ? 'failed' : 'success')))
  const { shown, rest, restStatus } = stageRoom(many, 11)
  expect([shown.length, rest.length, restStatus]).toEqual([9, 41, 'failed'])
  expect([...shown, ...rest]).toEqual(many)
  expect(stageRoom(stages('success', 'success', 'created', 'running'), 3).restStatus).toBe('running')
})

test('a stage with a job that failed and may fail is worse than one that passed', () => {
  const warned = stages('success', 'success', 'success').map((stage) => ({ ...stage, has_warnings: true }))
  expect(stageRoom(warned, 2)).toMatchObject({ restStatus: 'warning' })
})

test('at least one stage has a mark of its own', () => {
  expect(stageRoom(stages('success', 'failed', 'success'), 1).shown).toHaveLength(1)
})
