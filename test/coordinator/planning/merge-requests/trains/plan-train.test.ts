import { expect, test } from 'vitest'

import { testAtNight } from '../../../../support/nightly.js'
import { type Outcome, runRandomTrain, type Weather } from './random-train.js'

const CALM: Weather = {
  broken: 0,
  clash: 0,
  conflict: 0,
  repair: 0,
  flake: 0,
  kill: 0,
  push: 0,
  leave: 0,
}

const ROUNDING = 1e-9

/**
 * N + k · log2 N, and those that were lost: N merge requests came, and k were dropped. A flaky pipeline that drops one
 * counts as one more of both.
 */
function mostPipelines({ entered, dropped, lost }: Outcome): number {
  return entered + dropped * Math.log2(Math.max(1, entered)) + lost + ROUNDING
}

function seedsOf(count: number): number[] {
  return Array.from({ length: count * Number(process.env['SWITCHYARD_FUZZ_FACTOR'] ?? 1) }, (_, seed) => seed)
}

/** Names the seed of a train that does not keep a promise. */
function checkTrains(count: number, weather: (seed: number) => Partial<Weather>, cars?: number): void {
  for (const seed of seedsOf(count)) {
    try {
      const outcome = runRandomTrain(
        seed,
        { ...CALM, ...weather(seed) },
        cars === undefined ? undefined : { cars },
      )
      expect(outcome.pipelines).toBeLessThanOrEqual(mostPipelines(outcome))
    } catch (error) {
      throw new Error(`Seed ${seed}`, { cause: error })
    }
  }
}

test('a train in which nothing fails needs at most one pipeline for each merge request', () => {
  checkTrains(30, () => ({}))
})

testAtNight('failing merge requests are dropped, and each costs at most the logarithm of the train', () => {
  checkTrains(70, (seed) => ({ broken: 1 + (seed % 9), clash: seed % 2 === 0 ? 20 : 0 }))
})

test('kills, pushes, conflicts, flaky pipelines and merge requests that leave never make the target red', () => {
  checkTrains(100, (seed) => ({
    broken: 3 + (seed % 5),
    clash: 30,
    conflict: 40,
    repair: 30,
    flake: seed % 3 === 0 ? 8 : 0,
    kill: 12,
    push: 25,
    leave: 30,
  }))
})

test('a train of which all merge requests fail keeps to its budget', () => {
  checkTrains(20, () => ({ broken: 1 }))
})
