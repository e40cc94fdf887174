import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { RowHeights } from '../../src/web/kit/row-heights.js'
import {
  clampPosition,
  contentHeight,
  offsetOf,
  positionAt,
  positionOf,
  positionToShow,
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

describe('rows of different heights', () => {
  const box = fc
    .record({
      count: fc.integer({ min: 1, max: 2000 }),
      viewHeight: fc.integer({ min: 50, max: 900 }),
      measured: fc.array(fc.tuple(fc.nat(1999), fc.integer({ min: 20, max: 1500 })), { maxLength: 60 }),
    })
    .map(({ count, viewHeight, measured }) => {
      const heights = new RowHeights(20)
      for (const [row, height] of measured) if (row < count) heights.set(row, height)
      return { count, rowHeight: 20, viewHeight, heights }
    })

  it('lie below each other', () => {
    fc.assert(
      fc.property(box, (geometry) => {
        const offsets = [0]
        for (let row = 0; row < geometry.count; row += 1)
          offsets.push((offsets[row] ?? 0) + geometry.heights.heightOf(row))
        expect(offsets.map((_, row) => offsetOf(row, geometry))).toEqual(offsets)
        expect(contentHeight(geometry)).toBe(offsets.at(-1))
      }),
    )
  })

  it('are found again by their offset, and by the position of the scroll bar', () => {
    fc.assert(
      fc.property(box, fc.double({ min: 0, max: 1, noNaN: true }), (geometry, share) => {
        const offset = share * contentHeight(geometry) * 0.999
        expect(offsetOf(positionOf(offset, geometry), geometry)).toBeCloseTo(offset, 6)
        const position = clampPosition(share * geometry.count, geometry)
        expect(positionAt(scrollTopFor(position, geometry), geometry)).toBeCloseTo(position, 6)
      }),
    )
  })

  it('fill what is in sight', () => {
    fc.assert(
      fc.property(box, fc.double({ min: 0, max: 1, noNaN: true }), (geometry, share) => {
        const position = clampPosition(share * geometry.count, geometry)
        const { first, end, top } = rowsToDraw(position, scrollTopFor(position, geometry), geometry)
        expect(top).toBe(offsetOf(first, geometry))
        const bottom = Math.min(
          offsetOf(position, geometry) + geometry.viewHeight,
          offsetOf(geometry.count, geometry),
        )
        expect(offsetOf(end, geometry)).toBeGreaterThanOrEqual(bottom - 1e-6)
      }),
    )
  })

  it('come to the bottom or the middle with their own height', () => {
    const heights = new RowHeights(20)
    heights.set(500, 300)
    const geometry = { count: 1000, rowHeight: 20, viewHeight: 600, heights }
    const offset = (align: 'top' | 'middle' | 'bottom') =>
      offsetOf(500, geometry) - offsetOf(positionToShow(500, align, geometry), geometry)
    expect([offset('top'), offset('middle'), offset('bottom')]).toEqual([0, 150, 300])
  })

  it('have the height that was measured last', () => {
    const heights = new RowHeights(20)
    expect([heights.set(3, 60), heights.set(3, 60), heights.set(3, 20)]).toEqual([true, false, true])
    expect([heights.total, heights.extraBefore(9), heights.heightOf(3)]).toEqual([0, 0, 20])
  })
})
