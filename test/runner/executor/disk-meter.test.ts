import { expect, test } from 'vitest'

import { readFreeBytes } from '../../../src/runner/executor/docker/disk-meter.js'

test.each([
  [
    'coreutils',
    'Filesystem     1024-blocks     Used Available Capacity Mounted on\noverlay          263174212 25165824  81788928      24% /\n',
  ],
  [
    'busybox',
    'Filesystem           1024-blocks    Used Available Capacity Mounted on\noverlay              263174212  25165824  81788928  24% /\n',
  ],
  [
    'a long name',
    `Filesystem 1024-blocks Used Available Capacity Mounted on\n/dev/${'x'.repeat(200)} 263174212 25165824 81788928 24% /`,
  ],
])('the free space that df of %s prints', (_, output) => {
  expect(readFreeBytes(output)).toBe(81_788_928 * 1024)
})

test.each(['', 'df: not found', 'overlay 1 2 3 4% /home', '% /'])('%j of df is refused', (output) => {
  expect(() => readFreeBytes(output)).toThrow('"df" printed')
})
