import { expect, test } from 'vitest'

import { createLogger } from '../../../src/lib/logger.js'
import { redactText } from '../../../src/lib/redact-text.js'

const SECRET = 'a1b2c3d4e5f6g7h8i9j0k1l2'

test.each([
  [`fatal: unable to access 'https://gitlab-ci-token:${SECRET}@ci.example.com/a/b.git/'`],
  [`connect to https://${SECRET}@ci.example.com failed`],
  [`GET /api/v4/projects?private_token=${SECRET}&page=2`],
  [`GET /api/v4/jobs/1/artifacts?job_token=${SECRET}`],
  [`GET /x?access_token=${SECRET}#part`],
  [`PRIVATE-TOKEN: ${SECRET}`],
  [`Job-Token: ${SECRET}`],
  [`Authorization: Basic ${SECRET}`],
  [`Authorization: Bearer ${SECRET}`],
  [`{"request":{"headers":{"private-token":"${SECRET}"}}}`],
  [`{"response":{"credentials":{"token":"${SECRET}"}}}`],
  [`the runner has glrt-${SECRET} and the job glcbt-${SECRET}`],
])('no line of a log shows the secret in %s', (text) => {
  expect(redactText(text)).not.toContain(SECRET)
  expect(redactText(text)).toContain('[redacted]')
})

test.each(['https://ci.example.com/a/b.git', 'user@example.com at 10:30', '{"job":7,"tokens":3}', 'a://b:c'])(
  '%s is logged as it is',
  (text) => {
    expect(redactText(text)).toBe(text)
  },
)

test('errors and fields of any depth are logged without their secrets, and each line stays JSON', () => {
  const lines: string[] = []
  const format = (line: string) => (lines.push(line), '')
  const logger = createLogger('test', 'info', { format })
  const cause = new Error(`fetch of https://user:${SECRET}@host/x failed`)
  const headers = { 'job-token': SECRET, authorization: `Bearer ${SECRET}` }
  logger.warn(
    { err: new Error('no response', { cause }), deep: { deeper: { headers } } },
    `at ?token=${SECRET}`,
  )
  expect(lines).toHaveLength(1)
  expect(lines[0]).not.toContain(SECRET)
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ msg: 'at ?token=[redacted]' })
})

test('a long line costs time in proportion to its length', () => {
  const text = `${'://a'.repeat(50_000)}${'authorization'.repeat(20_000)}`
  expect(redactText(text)).toBe(text)
})
