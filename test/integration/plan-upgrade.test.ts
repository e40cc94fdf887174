import { expect, test } from 'vitest'

import { planUpgrade } from './support/plan-upgrade.js'

const released = ['0001-baseline']
const changed = [...released, '0002-next']

test.each([
  ['before the first release', { tags: [], released, current: released }, 'HEAD', true],
  ['at the release', { tags: ['v1.0.0'], released, current: released }, 'v1.0.0', true],
  ['after a change of the schema', { tags: ['v1.0.0'], released, current: changed }, 'v1.0.0', false],
  ['after ten releases', { tags: ['v1.0.10', 'v1.0.9'], released, current: changed }, 'v1.0.10', false],
])('%s, this version is upgraded from the last release', (_, facts, from, addsMigration) => {
  expect(planUpgrade(facts)).toEqual({ from, addsMigration })
})

test('a clone without the tag of the release says so', () => {
  expect(() => planUpgrade({ tags: [], released, current: changed })).toThrow('git fetch --tags')
})
