import { describe, expect, test } from 'vitest'

import { findFailingLine } from '../../../../../src/coordinator/ci/storage/trace-index/failing-line.js'
import { testAtNight } from '../../../../support/nightly.js'
import { FAILED_LOGS } from './failed-logs.js'

const shown = (command: string) => `\x1b[32;1m$ ${command}\x1b[0;m`
const NOISE = Array.from({ length: 60 }, (_none, index) => `  compiled module ${index}`)

describe('the failing line of a log', () => {
  test.each(Object.entries(FAILED_LOGS))('of %s is the first that says why', (_tool, text) => {
    const before = [shown('npm ci'), ...NOISE, '0 errors', shown('make all')]
    const lines = text.slice(1).split('\n')
    const log = [...before, ...lines.map((line) => line.replace(/^» /, ''))]
    const found = findFailingLine(log) ?? -1
    expect(log[found]).toBe(lines.find((line) => line.startsWith('» '))?.slice(2))
    expect(lines[found - before.length]).toMatch(/^» /)
  })

  test('is of the last command, because a script ends with the first one that fails', () => {
    const log = [shown('make lint || true'), 'a.c:3:5: error: style', shown('test -f dist/app.js')]
    expect(findFailingLine(log)).toBe(2)
    expect(findFailingLine([...log, 'sh: 1: vite: not found', 'ERROR: Job failed: exit code 1'])).toBe(3)
  })

  test('is that of the runner if nothing else says why', () => {
    const pull = [
      'Using Docker executor',
      'WARNING: Failed to pull image nope:1',
      'ERROR: Job failed: failed to pull image',
    ]
    expect(findFailingLine(pull)).toBe(2)
    expect(findFailingLine(['loading', 'ERROR: Job failed: execution took longer than 1h0m0s seconds'])).toBe(
      1,
    )
    expect(findFailingLine(['loading', 'ERROR: Job failed: exit code 3'])).toBe(0)
  })

  test('may be before a command that is part of an output', () => {
    expect(findFailingLine(['$ make', 'error: no key', 'To make one, run:', '$ ssh-keygen', 'Bye'])).toBe(1)
  })

  test('is none of a log without text', () => {
    expect(findFailingLine([])).toBeUndefined()
    expect(findFailingLine(['', '\x1b[0m'])).toBeUndefined()
    expect(findFailingLine(['ERROR: Job failed: exit code 1'])).toBe(0)
  })

  testAtNight('is found in linear time', () => {
    for (const hostile of ['A', 'aA', 'error ', 'a:1', '*** [x', 'x > ', ' ... ', '(1,', 'failed '])
      findFailingLine(Array.from({ length: 200 }, () => hostile.repeat(500).slice(0, 500)))
  })
})
