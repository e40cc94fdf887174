import { expect, test } from 'vitest'

import {
  type MergeFacts,
  mergeRefusal,
} from '../../../../src/coordinator/planning/merge-requests/merge-refusal.js'

const PROJECT: MergeFacts['project'] = {
  only_allow_merge_if_pipeline_succeeds: true,
  allow_merge_on_skipped_pipeline: false,
  only_allow_merge_if_all_discussions_are_resolved: true,
  only_allow_merge_if_all_status_checks_passed: true,
}
const READY: MergeFacts = {
  row: { state: 'opened', draft: false },
  project: PROJECT,
  pipeline: 'success',
  hasUnresolvedDiscussions: false,
  isUnapproved: false,
  isUnchecked: false,
}

test('a merge request that fulfils all settings of the project may be merged', () => {
  expect(mergeRefusal(READY)).toBeUndefined()
})

test.each<[string, Partial<MergeFacts>]>([
  ['locked', { row: { state: 'locked', draft: true } }],
  ['not_open', { row: { state: 'closed', draft: true } }],
  ['draft_status', { row: { state: 'opened', draft: true }, hasUnresolvedDiscussions: true }],
  ['discussions_not_resolved', { hasUnresolvedDiscussions: true, pipeline: 'failed' }],
  ['ci_must_pass', { pipeline: 'failed', isUnapproved: true }],
  ['ci_must_pass', { pipeline: undefined }],
  ['ci_must_pass', { pipeline: 'skipped' }],
  ['ci_must_pass', { pipeline: 'manual' }],
  ['ci_still_running', { pipeline: 'running' }],
  ['ci_still_running', { pipeline: 'created' }],
  ['not_approved', { isUnapproved: true, isUnchecked: true }],
  ['status_checks_must_pass', { isUnchecked: true }],
])('%s is the first reason of %j', (reason, facts) => {
  expect(mergeRefusal({ ...READY, ...facts })).toBe(reason)
})

test('a skipped pipeline counts as successful if the project says so', () => {
  const project = { ...PROJECT, allow_merge_on_skipped_pipeline: true }
  expect(mergeRefusal({ ...READY, project, pipeline: 'skipped' })).toBeUndefined()
})

test('nothing is required that the project does not require', () => {
  const project = {
    ...PROJECT,
    only_allow_merge_if_pipeline_succeeds: false,
    only_allow_merge_if_all_discussions_are_resolved: false,
    only_allow_merge_if_all_status_checks_passed: false,
  }
  const facts = { pipeline: undefined, hasUnresolvedDiscussions: true, isUnchecked: true }
  expect(mergeRefusal({ ...READY, project, ...facts })).toBeUndefined()
})
