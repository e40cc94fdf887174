import { describe, expect, test } from 'vitest'

import type { JobCache } from '../../../../src/protocol/job-payload.js'
import { planCaches, type PlannedCache } from '../../../../src/runner/job/stages/caches.js'
import { jobPayload } from '../../../support/job-payload.js'

function plan(cache: JobCache[], values: Record<string, string> = {}) {
  const warnings: string[] = []
  const result = planCaches(jobPayload({ cache }), new Map(Object.entries(values)), (text) =>
    warnings.push(text),
  )
  const caches: PlannedCache[] = result.kind === 'caches' ? result.caches : []
  return { result, caches, warnings }
}

describe('cache key', () => {
  test('has its variables expanded, and defaults to job name and ref', () => {
    const caches = plan(
      [
        { key: '$LANG-cache', paths: ['a'] },
        { key: '', paths: ['a'] },
      ],
      { LANG: 'ruby' },
    )
    expect(caches.caches.map(({ key }) => key)).toEqual(['ruby-cache', 'build/main'])
  })

  test('is reported if it was sanitized, and an empty key skips the cache', () => {
    const { caches, warnings } = plan([
      { key: '../up', paths: ['a'] },
      { key: '$NOTHING', paths: ['a'] },
    ])
    expect(caches.map(({ key }) => key)).toEqual(['up'])
    expect(warnings).toEqual(['cache key "../up" sanitized to "up"'])
  })

  test('is hashed if the job requests it', () => {
    const { caches } = plan([{ key: 'default', fallback_keys: ['../x'], paths: ['a'] }], {
      FF_HASH_CACHE_KEYS: 'true',
    })
    expect(caches[0]?.key).toMatch(/^[0-9a-f]{64}$/)
    expect(caches[0]?.fallbackKeys[0]).toMatch(/^[0-9a-f]{64}$/)
  })
})

describe('cache fallback keys', () => {
  test('are tried in order, the variable last', () => {
    const cache = { key: 'a', fallback_keys: ['$B', 'c', 'a'], paths: ['x'] }
    const { caches } = plan([cache], { B: 'b', CACHE_FALLBACK_KEY: 'd' })
    expect(caches[0]?.fallbackKeys).toEqual(['b', 'c', 'd'])
  })

  test.each([
    ['key-protected', undefined, ['f-protected', 'k-protected', 'k']],
    ['key-non_protected', undefined, ['f-protected', 'k-non_protected', 'k']],
    ['key', undefined, ['f-protected', 'k']],
    ['key-2-protected', '-2-protected', ['f-protected', 'k-2-protected']],
    ['mine-protected', '', ['f-protected', 'k']],
  ])('have the suffix of the key %j (%j), also the variable', (key, key_suffix, expected) => {
    const suffix = key_suffix === undefined ? {} : { key_suffix }
    const cache = { key, fallback_keys: ['f-protected'], paths: ['x'], ...suffix }
    expect(plan([cache], { CACHE_FALLBACK_KEY: '$K', K: 'k' }).caches[0]?.fallbackKeys).toEqual(expected)
    expect(plan([cache], { CACHE_FALLBACK_KEY: '$NONE' }).caches[0]?.fallbackKeys).toEqual(['f-protected'])
  })

  test.each(['x-protected', 'x-protected. .'])('do not include %j from the variable', (key) => {
    const { caches, warnings } = plan([{ key: 'a', paths: ['x'] }], { CACHE_FALLBACK_KEY: key })
    expect(caches[0]?.fallbackKeys).toEqual([])
    expect(warnings.join()).toContain('CACHE_FALLBACK_KEY')
  })
})

test.each([
  [undefined, true, true],
  ['', true, true],
  ['pull-push', true, true],
  ['pull', true, false],
  ['push', false, true],
  ['$POLICY', true, false],
])('the policy %j', (policy, mayPull, mayPush) => {
  const { caches } = plan([{ key: 'a', paths: ['x'], policy: policy ?? null }], { POLICY: 'pull' })
  expect(caches).toMatchObject([{ mayPull, mayPush }])
})

test('an unknown policy is an error', () => {
  expect(plan([{ key: 'a', paths: ['x'], policy: 'pul' }]).result).toEqual({
    kind: 'invalid',
    problem: 'unknown cache policy "pul"',
  })
})

test('a cache without files is skipped', () => {
  expect(plan([{ key: 'a' }, { key: 'b', paths: [], untracked: false }]).caches).toEqual([])
})
