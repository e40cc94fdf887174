import { describe, expect, it } from 'vitest'

import { barStatistics } from '../../src/web/records/bar-statistics.js'

const pipeline = (status: string, duration: number | null = null) => ({ status, duration })

describe('the statistics of the latest pipelines', () => {
  it.each([
    ['no pipeline', [], undefined],
    ['one that runs', [pipeline('running')], undefined],
    ['one that passed', [pipeline('success', 10)], { passed: 100, median: 10 }],
    ['an odd number', [10, 40, 20].map((each) => pipeline('success', each)), { passed: 100, median: 20 }],
    [
      'an even number',
      [10, 40, 20, 30].map((each) => pipeline('success', each)),
      { passed: 100, median: 25 },
    ],
    [
      'one of three that failed',
      [pipeline('failed', 1), pipeline('success', 2), pipeline('success', 3)],
      { passed: 67, median: 2 },
    ],
    [
      'canceled ones, which do not count',
      [pipeline('canceled', 1), pipeline('success', 3)],
      { passed: 100, median: 3 },
    ],
    ['one that failed before a job ran', [pipeline('failed')], { passed: 0, median: null }],
  ])('of %s', (_case, pipelines, statistics) => {
    expect(barStatistics(pipelines)).toEqual(statistics)
  })
})
