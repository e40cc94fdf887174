import { describe, expect, it } from 'vitest'

import { barHeights, barPath, barShape, barsInWords } from '../../src/web/records/bar-heights.js'

describe('bars of pipelines', () => {
  it.each([
    ['the longest pipeline has the whole height', [100, 400], [15, 25]],
    ['a pipeline of which no job ran is as low as can be', [null, 400], [5, 25]],
    ['a pipeline that starts in the future has not run', [-3, 400], [5, 25]],
    ['nothing has run', [null, null], [5, 5]],
    ['there is none', [], []],
  ])('%s', (_case, durations, heights) => {
    expect(barHeights(durations, 5, 25)).toEqual(heights)
  })

  it('have a shape of their own for each outcome, so that no color is needed', () => {
    expect(['success', 'failed', 'warning', 'running'].map(barShape)).toEqual([
      'round',
      'pointed',
      'slanted',
      'hollow',
    ])
  })

  it.each(['round', 'pointed', 'slanted', 'hollow'] as const)('stay inside their box as %s ones', (shape) => {
    for (const height of [1, 3, 5, 40]) {
      const path = barPath(shape, { x: 10, width: 6, height, bottom: 40 })
      const points = [...path.matchAll(/[MLQ ]([\d.]+) ([\d.]+)/g)].map(
        ([, x, y]) => [Number(x), Number(y)] as const,
      )
      for (const [x, y] of points) {
        expect(x).toBeGreaterThanOrEqual(10)
        expect(x).toBeLessThanOrEqual(16)
        expect(y).toBeGreaterThanOrEqual(40 - height)
        expect(y).toBeLessThanOrEqual(40)
      }
    }
  })

  it('are counted in words', () => {
    expect(barsInWords(['passed', 'failed', 'passed'])).toBe('3 pipelines: 2 passed, 1 failed')
    expect(barsInWords(['passed'])).toBe('1 pipeline: 1 passed')
  })
})
