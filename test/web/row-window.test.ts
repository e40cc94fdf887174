import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import {
  clampPosition,
  contentHeight,
  positionAt,
  rowsToDraw,
  scrollTopFor,
} from '../../src/web/kit/row-window.js'

const MILLIONS = { count: 2_000_000, rowHeight: 20, viewHeight: 600 }

describe('a box of rows', () => {
  it('is never higher than 8,000,000 pixels', () => {
    expect(contentHeight(MILLIONS)).toBe(8_000_000)
    expect(contentHeight({ ...MILLIONS, count: 10 })).toBe(200)
  })

  it('reaches the last row of two million at the end of its scroll bar', () => {
    const position = positionAt(contentHeight(MILLIONS) - MILLIONS.viewHeight, MILLIONS)
    const { end } = rowsToDraw(position, 0, MILLIONS)
    expect(end).toBe(MILLIONS.count)
  })

  it('draws every row in sight, wherever its scroll bar is', () => {
    const geometry = fc.record({
      count: fc.integer({ min: 1, max: 3_000_000 }),
      rowHeight: fc.integer({ min: 12, max: 60 }),
      viewHeight: fc.integer({ min: 50, max: 2000 }),
    })
    fc.assert(
      fc.property(geometry, fc.double({ min: 0, max: 1, noNaN: true }), (box, share) => {
        const position = clampPosition(share * box.count, box)
        const { first, end } = rowsToDraw(position, scrollTopFor(position, box), box)
        expect(first).toBeLessThanOrEqual(position)
        expect(end).toBeGreaterThanOrEqual(Math.min(box.count, position + box.viewHeight / box.rowHeight))
        expect(end - first).toBeLessThan(box.viewHeight / box.rowHeight + 30)
      }),
    )
  })

  it('returns to the same row from the position of its scroll bar', () => {
    for (const position of [0, 1, 999_999.5, 1_999_960]) {
      expect(positionAt(scrollTopFor(position, MILLIONS), MILLIONS)).toBeCloseTo(position, 1)
    }
  })
})
