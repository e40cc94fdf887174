import { expect, test } from 'vitest'

import {
  DETAILED_STATUSES,
  detailedStatus,
} from '../../../../src/coordinator/planning/merge-requests/detailed-status.js'
import { isDraft } from '../../../../src/coordinator/planning/merge-requests/draft.js'

const ROW = { state: 'opened', draft: false, merge_status: 'can_be_merged', prepared_at: 1 } as const
const FACTS = {
  hasUnresolvedDiscussions: false,
  needsRebase: false,
  isUnapproved: false,
  hasRequestedChanges: false,
  isUnchecked: false,
}

test('the status names the first reason not to merge', () => {
  const reasons: [string, object, object][] = [
    ['unchecked', { merge_status: 'unchecked' }, {}],
    ['preparing', { merge_status: 'unchecked', prepared_at: null }, {}],
    ['checking', { merge_status: 'checking' }, {}],
    ['draft_status', { draft: true }, {}],
    ['discussions_not_resolved', {}, { hasUnresolvedDiscussions: true }],
    ['ci_must_pass', {}, { pipeline: 'ci_must_pass' }],
    ['ci_still_running', {}, { pipeline: 'ci_still_running' }],
    ['conflict', { merge_status: 'cannot_be_merged' }, {}],
    ['need_rebase', {}, { needsRebase: true }],
    ['not_approved', {}, { isUnapproved: true }],
    ['requested_changes', {}, { hasRequestedChanges: true }],
    ['status_checks_must_pass', {}, { isUnchecked: true }],
  ]
  expect(detailedStatus(ROW, FACTS)).toBe('mergeable')
  const seen: string[] = []
  for (const [status, ofRow, ofFacts] of reasons) {
    expect(detailedStatus({ ...ROW, ...ofRow }, { ...FACTS, ...ofFacts })).toBe(status)
    seen.push(status)
  }
  expect(seen).toEqual(DETAILED_STATUSES.filter((status) => !['not_open', 'mergeable'].includes(status)))
  // All of these hold.
  const all = { ...FACTS, needsRebase: true, isUnapproved: true, hasRequestedChanges: true }
  expect(detailedStatus({ ...ROW, draft: true }, { ...all, hasUnresolvedDiscussions: true })).toBe(
    'draft_status',
  )
  expect(detailedStatus(ROW, { ...all, pipeline: 'ci_must_pass' })).toBe('ci_must_pass')
  expect(detailedStatus({ ...ROW, merge_status: 'cannot_be_merged' }, all)).toBe('conflict')
  expect(detailedStatus(ROW, all)).toBe('need_rebase')
  for (const state of ['closed', 'merged', 'locked'] as const) {
    expect(detailedStatus({ ...ROW, state }, FACTS)).toBe('not_open')
  }
  expect(detailedStatus({ ...ROW, state: 'closed', merge_status: 'unchecked' }, FACTS)).toBe('not_open')
})

test('a draft is marked at the beginning of its title', () => {
  const drafts = ['Draft: x', 'draft:x', '[Draft] x', '(draft) x', 'WIP: x', '[wip]x', ' Draft: x']
  for (const title of drafts) expect([title, isDraft(title)]).toEqual([title, true])
  for (const title of ['x', 'Draft x', 'A draft: x', 'Drafty: x', '(wip) x']) {
    expect([title, isDraft(title)]).toEqual([title, false])
  }
})
