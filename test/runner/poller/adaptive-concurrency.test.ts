import { expect, test } from 'vitest'

import { AdaptiveConcurrency } from '../../../src/runner/poller/poller.js'

type Step = 'foundJob' | 'foundNone' | 'hadTrouble'

const cases: [name: string, most: number, steps: Step[], allowed: number][] = [
  ['begins with one', 4, [], 1],
  ['a job makes it two', 4, ['foundJob'], 2],
  ['one job after the other makes it more', 10, Array<Step>(12).fill('foundJob'), 4],
  ['never more than the settings say', 3, Array<Step>(50).fill('foundJob'), 3],
  ['one is one, whatever comes', 1, Array<Step>(50).fill('foundJob'), 1],
  ['no job makes it less, little by little', 4, ['foundJob', 'foundNone', 'foundNone'], 1],
  ['trouble halves it', 8, [...Array<Step>(18).fill('foundJob'), 'hadTrouble'], 3],
  ['never less than one', 8, Array<Step>(9).fill('hadTrouble'), 1],
]

test.each(cases)('%s', (_, most, steps, allowed) => {
  const concurrency = new AdaptiveConcurrency(most)
  for (const step of steps) concurrency[step]()
  expect(concurrency.allowed).toBe(allowed)
})

test('a lower limit applies at once', () => {
  const concurrency = new AdaptiveConcurrency(8)
  for (let job = 0; job < 30; job++) concurrency.foundJob()
  concurrency.limitTo(2)
  expect(concurrency.allowed).toBe(2)
})
