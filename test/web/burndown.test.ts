import { describe, expect, it } from 'vitest'

import type { BurndownEvent } from '../../src/coordinator/planning/resource-events/burndown-schema.js'
import { burndownOf } from '../../src/web/pages/issues/burndown-data.js'

/** At noon of the reader's clock. */
function event(day: number, action: BurndownEvent['action'], weight: number | null = null): BurndownEvent {
  return { created_at: new Date(2030, 0, day, 12).toISOString(), action, weight }
}

const EVENTS = [
  event(1, 'created', 3),
  event(3, 'created'),
  event(4, 'closed', 3),
  event(5, 'closed'),
  event(6, 'reopened'),
]
const PERIOD = { start: '2030-01-03', due: '2030-01-05' }

describe('the burndown of a milestone', () => {
  it('has what was open at the end of each day, until today', () => {
    const { data, remaining, total } = burndownOf(
      EVENTS.slice(0, 3),
      { ...PERIOD, today: '2030-01-04' },
      'issues',
    )
    expect(data.times.map((time) => new Date(time * 1000).getDate())).toEqual([3, 4, 5])
    expect(data.values).toEqual([
      [2, 1, null],
      [2, 2, null],
      [2, 1, 0],
    ])
    expect({ remaining, total }).toEqual({ remaining: 1, total: 2 })
  })

  it.each([
    ['an open milestone continues after its due date', 'issues', '2030-01-07', [2, 1, 0, 1, 1]],
    ['a closed one ends there', 'issues', null, [2, 1, 0]],
    ['weights are summed', 'weight', null, [3, 0, 0]],
    ['nothing is known before the first day', 'issues', '2030-01-01', [null, null, null]],
  ] as const)('%s', (_, by, today, open) => {
    expect(burndownOf(EVENTS, { ...PERIOD, today }, by).data.values[0]).toEqual(open)
  })
})
