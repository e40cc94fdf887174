import { expect, test } from 'vitest'

import { LogFollower } from '../../../src/cli/commands/up/log-follower.js'

test('each line of a growing log is printed once, when it is complete', () => {
  const log = new LogFollower()
  expect(log.newLines(Buffer.from('one\ntw'), false)).toEqual(['one'])
  expect(log.newLines(Buffer.from('one\ntw'), false)).toEqual([])
  expect(log.newLines(Buffer.from('one\ntwo\n\nfö'), false)).toEqual(['two', ''])
  expect(log.newLines(Buffer.from('one\ntwo\n\nför'), true)).toEqual(['för'])
  expect(log.newLines(Buffer.from('one\ntwo\n\nför'), true)).toEqual([])
})
