import { expect, test } from 'vitest'

import { logFormatter } from '../../src/lib/log-format.js'

const EVENT = JSON.stringify({
  level: 40,
  time: Date.parse('2026-01-02T03:04:05.678Z'),
  name: 'runner',
  runner: 'my builder',
  job: 12,
  err: { type: 'Error', message: 'it broke', stack: 'Error: it broke\n    at there' },
  msg: 'A job failed',
})

test.each([
  [
    'runner',
    `WARNING: A job failed                               runner="my builder" job=12 error="it broke"\n`,
  ],
  [
    'text',
    'time=2026-01-02T03:04:05.678Z level=warning msg="A job failed" runner="my builder" job=12 error="it broke"\n',
  ],
  [
    'json',
    '{"level":"warning","msg":"A job failed","time":"2026-01-02T03:04:05.678Z","runner":"my builder","job":12,"error":"it broke"}\n',
  ],
] as const)('an event in the format %s', (format, line) => {
  expect(logFormatter(format)(EVENT)).toBe(line)
})

test('warnings and errors are coloured on terminals with colours', () => {
  const line = logFormatter('runner', true)(EVENT)
  expect(line.startsWith('\x1b[33mWARNING: ')).toBe(true)
  expect(line.endsWith('\x1b[0m\n')).toBe(true)
  expect(logFormatter('runner', true)('{"level":30,"time":0,"msg":"Fine"}')).toBe('Fine\n')
})
