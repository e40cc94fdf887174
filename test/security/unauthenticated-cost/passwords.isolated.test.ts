import { scrypt } from 'node:crypto'

import { afterEach, expect, test, vi } from 'vitest'

import { isPassword, PasswordQueueFullError, UNMATCHED_HASH } from '../../../src/lib/password-hash.js'

vi.mock('node:crypto', { spy: true })

afterEach(() => {
  vi.restoreAllMocks()
  vi.mocked(scrypt).mockReset()
})

test('a flood of passwords occupies at most two threads, and what is beyond the queue is refused', async () => {
  const underWay: (() => void)[] = []
  let most = 0
  vi.mocked(scrypt).mockImplementation(((
    _password: string,
    _salt: Buffer,
    bytes: number,
    ...rest: unknown[]
  ) => {
    const done = rest.at(-1) as (error: Error | null, key: Buffer) => void
    underWay.push(() => done(null, Buffer.alloc(bytes, 1)))
    most = Math.max(most, underWay.length)
  }) as typeof scrypt)
  const checks = Array.from({ length: 110 }, () =>
    isPassword('wrong', UNMATCHED_HASH).catch((error: unknown) => error),
  )
  let settled = 0
  for (const check of checks) void check.then(() => settled++)
  while (settled < checks.length) {
    await new Promise(setImmediate)
    underWay.shift()?.()
  }
  const results = await Promise.all(checks)
  expect(most).toBe(2)
  expect(results.filter((result) => result === false).length).toBeGreaterThanOrEqual(100)
  expect(results.filter((result) => result instanceof PasswordQueueFullError).length).toBeGreaterThan(0)
})

test('a password of 64 KiB is never normalized, which takes the square of its length', async () => {
  const normalize = vi.spyOn(String.prototype, 'normalize')
  expect(await isPassword('\u0301\u0323'.repeat(16_384), UNMATCHED_HASH)).toBe(false)
  const lengths = normalize.mock.contexts.map((text) => String(text).length)
  expect(Math.max(...lengths)).toBeLessThanOrEqual(1024)
})
