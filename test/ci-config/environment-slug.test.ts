import { expect, test } from 'vitest'

import { environmentSlug } from '../../src/ci-config/environment-slug.js'

/** CI language, 15.1. The last six digits are those of the SHA-256 of the name as a number to the base 36. */
test.each([
  ['production', 'production'],
  ['Production', 'production-'],
  ['staging-2', 'staging-2'],
  ['staging-', 'staging'],
  ['review/feature', 'review-feature-'],
  ['review/feature.one_and two', 'review-feature-on-'],
  ['1.2', 'env-1-2-'],
  ['a--b', 'a-b-'],
  ['exactly-twenty-four-char', 'exactly-twenty-four-char'],
  ['one-more-than-twenty-four', 'one-more-than-twe-'],
  ['seventeen-chars--x-and-more', 'seventeen-chars-x-'],
  ['ünïcode', 'env-n-code-'],
])('the slug of %s begins with %s', (name, beginning) => {
  const slug = environmentSlug(name)
  const isWhole = !beginning.endsWith('-')
  if (isWhole) expect(slug).toBe(beginning)
  else expect(slug).toMatch(new RegExp(`^${beginning}[a-z0-9]{6}$`))
  expect(slug.length).toBeLessThanOrEqual(24)
})

test('the digest is of the name as it was written', () => {
  // The digits were worked out with another program.
  expect(environmentSlug('a/b')).toBe(`a-b-${DIGITS_OF_A_B}`)
  expect(environmentSlug('Production')).not.toBe(environmentSlug('PRODUCTION'))
})

const DIGITS_OF_A_B = 'g3yd5d'
