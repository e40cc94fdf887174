import { expect, test } from 'vitest'

import { refusalsOf } from '../../../src/coordinator/hosting/repositories/push/ref-rules.js'
import { ZERO_ID } from '../../../src/git/names.js'

const ID = 'a'.repeat(40)

function refusals(ref: string, after = ID): string[] {
  const changes = [{ ref, before: after === ZERO_ID ? ID : ZERO_ID, after }]
  return refusalsOf({ changes, accessLevel: 50, protectedRefs: [], defaultBranch: 'main' })
}

test.each([
  `refs/heads/${ID}`,
  `refs/tags/${ID}`,
  'refs/heads/HEAD',
  'refs/tags/HEAD',
  'refs/heads/refs/heads/main',
  'refs/heads/refs/tags/v1',
  'refs/tags/refs/heads/main',
])('nobody creates %s, whose name reads as another revision', (ref) => {
  expect(refusals(ref)).toHaveLength(1)
  expect(refusals(ref, ZERO_ID)).toEqual([])
})

test.each(['refs/heads/heads/main', 'refs/heads/tags/main', 'refs/heads/HEADS', 'refs/tags/references/1'])(
  '%s may be created',
  (ref) => {
    expect(refusals(ref)).toEqual([])
  },
)
