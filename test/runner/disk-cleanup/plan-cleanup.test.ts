import { describe, expect, test } from 'vitest'

import { isBelow, parseMark, usualLow } from '../../../src/runner/config/disk-settings.js'
import { fullDisk, mayNeedCleanup, planCleanup } from '../../../src/runner/disk-cleanup/plan-cleanup.js'
import type { Disk, UsedItem } from '../../../src/runner/disk-cleanup/usage.js'

const NOW = 1_000_000_000
const HOUR = 3_600_000

function item(name: string, bytes: number, hoursAgo: number, more: Partial<UsedItem> = {}): UsedItem {
  const lastUsed = NOW - hoursAgo * HOUR
  return { kind: 'image', name, bytes, lastUsed, isInUse: false, diskId: 'd', ...more }
}

function disk(usedBytes: number, id = 'd'): Disk {
  return { id, path: `/${id}`, sizeBytes: 100, freeBytes: 100 - usedBytes }
}

const FULLNESS = { high: { kind: 'fullness', part: 0.8 }, low: { kind: 'fullness', part: 0.5 } } as const
const AMOUNT = { high: { kind: 'amount', bytes: 50 }, low: { kind: 'amount', bytes: 30 } } as const

describe('cleanup plan', () => {
  test.each<[string, Disk[], UsedItem[], typeof FULLNESS | typeof AMOUNT, string[]]>([
    ['nothing below the high mark', [disk(80)], [item('a', 50, 9)], FULLNESS, []],
    [
      'the longest unused until the low mark',
      [disk(81)],
      [item('new', 20, 1), item('oldest', 20, 9), item('old', 20, 5)],
      FULLNESS,
      ['oldest', 'old'],
    ],
    [
      'nothing in use, and nothing that was used a moment ago',
      [disk(100)],
      [item('used', 20, 9, { isInUse: true }), item('fresh', 20, 0.1), item('old', 20, 1)],
      FULLNESS,
      ['old'],
    ],
    [
      'only what is on the disk that is full',
      [disk(90), disk(10, 'e')],
      [
        item('elsewhere', 60, 9, { diskId: 'e' }),
        item('unknown', 60, 9, { diskId: undefined }),
        item('here', 60, 1),
      ],
      FULLNESS,
      ['here'],
    ],
    [
      'nothing that takes no room',
      [disk(90)],
      [item('empty', 0, 9), item('full', 60, 1)],
      FULLNESS,
      ['full'],
    ],
    ['nothing while all items take less than allowed', [disk(99)], [item('a', 50, 9)], AMOUNT, []],
    [
      'enough to come down to an amount, what is in use counted',
      [],
      [item('used', 30, 9, { isInUse: true }), item('old', 20, 5, { diskId: undefined }), item('new', 20, 1)],
      AMOUNT,
      ['old', 'new'],
    ],
  ])('%s', (_, disks, items, marks, expected) => {
    expect(planCleanup({ disks, items }, marks, NOW).map(({ name }) => name)).toEqual(expected)
  })

  test('is not computed while no disk is above the mark', () => {
    expect(mayNeedCleanup({ disks: [disk(80), disk(10, 'e')] }, FULLNESS)).toBe(false)
    expect(mayNeedCleanup({ disks: [disk(10), disk(81, 'e')] }, FULLNESS)).toBe(true)
    expect(mayNeedCleanup({ disks: [] }, AMOUNT)).toBe(true)
  })
})

test('a disk is full when less than the floor is free', () => {
  expect(fullDisk([disk(10), disk(91, 'e')], 10)).toMatchObject({ id: 'e' })
  expect(fullDisk([disk(10), disk(90, 'e')], 10)).toBeUndefined()
})

test.each([
  ['80%', { kind: 'fullness', part: 0.8 }],
  ['99.5 %', { kind: 'fullness', part: 0.995 }],
  ['50g', { kind: 'amount', bytes: 50 * 1024 ** 3 }],
  ['0%', undefined],
  ['101%', undefined],
  ['much', undefined],
])('the mark %j is %j', (text, expected) => {
  expect(parseMark(text)).toEqual(expected)
})

test('the low mark defaults to a little below the high mark', () => {
  expect(usualLow({ kind: 'amount', bytes: 100 })).toEqual({ kind: 'amount', bytes: 80 })
  expect(usualLow({ kind: 'fullness', part: 0.85 })).toMatchObject({ kind: 'fullness' })
  expect(isBelow({ kind: 'amount', bytes: 1 }, { kind: 'fullness', part: 0.5 })).toBe(false)
  expect(isBelow({ kind: 'fullness', part: 0.5 }, { kind: 'fullness', part: 0.5 })).toBe(false)
})
