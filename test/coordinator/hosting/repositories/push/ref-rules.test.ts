import { expect, test } from 'vitest'

import {
  forwardOnlyRefs,
  refusalsOf,
} from '../../../../../src/coordinator/hosting/repositories/push/ref-rules.js'
import type { ProtectedRef } from '../../../../../src/coordinator/hosting/repositories/store.js'
import { ZERO_ID } from '../../../../../src/git/names.js'

const [A, B] = ['a'.repeat(40), 'b'.repeat(40)]

const rule = (kind: 'branch' | 'tag', name: string, level: number, force = false): ProtectedRef => ({
  kind,
  name,
  push_access_level: level,
  allow_force_push: force,
})

const protectedRefs = [
  rule('branch', 'main', 40),
  rule('branch', 'release/*', 30),
  rule('branch', 'release/frozen', 0),
  rule('branch', 'nobody', 0),
  rule('branch', 'loose', 30, true),
  rule('tag', 'v*', 40),
]

const update = [A, B] as const
const creation = [ZERO_ID, A] as const
const deletion = [A, ZERO_ID] as const

function refusals(ref: string, [before, after]: readonly [string, string], accessLevel: number): string[] {
  return refusalsOf({ changes: [{ ref, before, after }], accessLevel, protectedRefs, defaultBranch: 'main' })
}

const PUSH = 'You are not allowed to push code to protected branches on this project.'
const CHANGE_TAG = 'You are not allowed to change existing tags on this project.'
const CREATE_TAG = 'You are not allowed to create this tag as it is protected.'
const DELETE_DEFAULT = 'The default branch of a project cannot be deleted.'
const DELETE =
  'You are not allowed to delete protected branches from this project. ' +
  'Only a project maintainer or owner can delete a protected branch.'

test.each([
  ['refs/heads/topic', creation, 30, []],
  ['refs/heads/topic', update, 30, []],
  ['refs/heads/topic', deletion, 30, []],
  ['refs/heads/main', update, 30, [PUSH]],
  ['refs/heads/main', creation, 30, [PUSH]],
  ['refs/heads/main', update, 40, []],
  ['refs/heads/main', deletion, 50, [DELETE_DEFAULT]],
  ['refs/heads/release/1', update, 30, []],
  ['refs/heads/release/1', deletion, 30, [DELETE]],
  ['refs/heads/release/1', deletion, 40, []],
  ['refs/heads/release/frozen', update, 30, []],
  ['refs/heads/nobody', update, 50, [PUSH]],
  ['refs/heads/mainly', update, 30, []],
  ['refs/tags/nightly', creation, 30, []],
  ['refs/tags/nightly', update, 30, [CHANGE_TAG]],
  ['refs/tags/nightly', update, 40, []],
  ['refs/tags/nightly', deletion, 30, []],
  ['refs/tags/v1', creation, 30, [CREATE_TAG]],
  ['refs/tags/v1', creation, 40, []],
  ['refs/tags/v1', update, 50, ['Protected tags cannot be updated.']],
  ['refs/tags/v1', deletion, 50, ['Protected tags cannot be deleted.']],
  ['refs/notes/commits', creation, 30, []],
] as const)('%s %j at level %i: %j', (ref, change, level, expected) => {
  expect(refusals(ref, change, level)).toEqual(expected)
})

test('each reason is given once', () => {
  const changes = ['refs/heads/main', 'refs/heads/nobody', 'refs/heads/topic'].map((ref) => ({
    ref,
    before: A,
    after: B,
  }))
  expect(refusalsOf({ changes, accessLevel: 30, protectedRefs, defaultBranch: null })).toEqual([PUSH])
})

test('protected branches that are moved only move forward, unless a rule allows otherwise', () => {
  const changes = [
    { ref: 'refs/heads/main', before: A, after: B },
    { ref: 'refs/heads/loose', before: A, after: B },
    { ref: 'refs/heads/topic', before: A, after: B },
    { ref: 'refs/heads/release/new', before: ZERO_ID, after: B },
    { ref: 'refs/tags/v1', before: A, after: B },
  ]
  const situation = { changes, accessLevel: 40, protectedRefs, defaultBranch: 'main' }
  expect(forwardOnlyRefs(situation)).toEqual(['refs/heads/main'])
})
