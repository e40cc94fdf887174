import { describe, expect, it } from 'vitest'

import { parseDiff } from '../../src/web/code/parse-diff.js'
import { changedCoverage, coverageText } from '../../src/web/pages/merge-requests/changes/changed-coverage.js'
import { failedLines } from '../../src/web/pages/merge-requests/changes/failed-lines.js'
import { lineNumbers } from '../../src/web/pages/merge-requests/changes/line-numbers.js'
import { conflictsIn, resolved } from '../../src/web/pages/merge-requests/conflicts-in.js'
import { mergeChecks } from '../../src/web/pages/merge-requests/merge-checks.js'
import { proposedText } from '../../src/web/pages/merge-requests/new/proposed-text.js'
import { REQUEST_FILTER } from '../../src/web/pages/merge-requests/request-filter.js'
import { queryText, readFilter } from '../../src/web/planned/filter-words.js'

type Facts = Parameters<typeof mergeChecks>[0]

const READY: Facts['request'] = {
  draft: false,
  merge_status: 'can_be_merged',
  detailed_merge_status: 'mergeable',
  source_branch: 'fix',
  target_branch: 'main',
  source_project_id: 1,
  blocking_discussions_resolved: true,
  diverged_commits_count: 0,
  head_pipeline: null,
}
const NOTHING: Facts['demands'] = {
  merge_method: 'merge',
  only_allow_merge_if_pipeline_succeeds: false,
  allow_merge_on_skipped_pipeline: false,
  only_allow_merge_if_all_discussions_are_resolved: false,
  only_allow_merge_if_all_status_checks_passed: false,
  merge_trains_enabled: false,
}

interface Case {
  request?: Partial<Facts['request']>
  demands?: Partial<Facts['demands']>
  approvals?: Facts['approvals']
  rules?: Facts['rules']
  statuses?: Facts['statuses']
}

const mergeChecksOf = ({ request, demands, ...facts }: Case) =>
  mergeChecks({
    request: { ...READY, ...request },
    demands: { ...NOTHING, ...demands },
    approvals: undefined,
    ...facts,
  })
const checks = (facts: Case) => mergeChecksOf(facts).map(({ state, text }) => `${state}: ${text}`)

const RULE = {
  name: 'Security',
  rule_type: 'regular',
  section: null,
  approvals_required: 2,
  approvals_left: 0,
  unsatisfiable: false,
  eligible_approvers: [{ name: 'Ada' }, { name: 'Ben' }, { name: 'Cy' }],
  eligible_approvers_count: 6,
  approved_by: [{ name: 'Ada' }],
}
const CHECK = { id: 1, name: 'Scanner' }
const PIPELINE = { only_allow_merge_if_pipeline_succeeds: true }

describe('what a merge needs', () => {
  it.each<[Case, string]>([
    [{}, 'passed: The branches have no conflicts.'],
    [{ request: { draft: true } }, 'failed: It is a draft.'],
    [{ request: { merge_status: 'cannot_be_merged' } }, 'failed: The branches have conflicts.'],
    [{ request: { merge_status: 'checking' } }, 'waiting: The branches are being checked.'],
    [{ request: { source_project_id: null } }, 'failed: The project of the source branch was deleted.'],
    [
      { request: { diverged_commits_count: 2 }, demands: { merge_method: 'ff' } },
      'failed: The source branch lacks 2 commits of main.',
    ],
    [{ demands: PIPELINE }, 'failed: A pipeline must pass. There is none.'],
    [
      { demands: PIPELINE, request: { head_pipeline: { status: 'failed' } } },
      'failed: The pipeline must pass.',
    ],
    [
      { demands: PIPELINE, request: { head_pipeline: { status: 'running' } } },
      'waiting: The pipeline must pass. It has not ended.',
    ],
    [
      { demands: PIPELINE, request: { head_pipeline: { status: 'success' } } },
      'passed: The pipeline has passed.',
    ],
    [
      {
        demands: { only_allow_merge_if_all_discussions_are_resolved: true },
        request: { blocking_discussions_resolved: false },
      },
      'failed: All threads must be resolved.',
    ],
    [{ approvals: { approvals_required: 2, approvals_left: 1 } }, 'failed: 1 of 2 approvals are missing.'],
    [{ approvals: { approvals_required: 1, approvals_left: 0 } }, 'passed: It is approved.'],
    [
      { rules: [{ ...RULE, approvals_left: 1 }] },
      'failed: Security: 1 of 2 approvals are missing. Ben, Cy, 3 more can approve it.',
    ],
    [{ rules: [RULE] }, 'passed: Security: approved by Ada.'],
    [
      {
        rules: [
          {
            ...RULE,
            rule_type: 'code_owner',
            name: '*.sql',
            section: 'Data',
            approvals_left: 2,
            unsatisfiable: true,
          },
        ],
      },
      'failed: Code owners of *.sql (Data): 2 of 2 approvals are missing. Fewer people may approve than it requires. A maintainer can change the rule.',
    ],
    [{ rules: [{ ...RULE, approvals_required: 0 }] }, 'passed: The branches have no conflicts.'],
    [{ statuses: [{ ...CHECK, status: 'passed' }] }, 'passed: Status check Scanner has passed.'],
    [
      { statuses: [{ ...CHECK, status: 'pending' }] },
      'waiting: Status check Scanner has not answered. The merge does not need it.',
    ],
    [
      {
        statuses: [{ ...CHECK, status: 'failed' }],
        demands: { only_allow_merge_if_all_status_checks_passed: true },
      },
      'failed: Status check Scanner has failed. A push starts it again, and so can developers.',
    ],
    [
      { request: { detailed_merge_status: 'requested_changes' } },
      'failed: A reviewer has requested changes.',
    ],
  ])('of %j, above all: %s', (facts, first) => {
    const all = mergeChecksOf(facts).map(({ state, text, remedy }) => `${state}: ${text} ${remedy ?? ''}`)
    expect(all.some((text) => text.startsWith(first))).toBe(true)
  })

  it('begins with what somebody must do, and names all of it', () => {
    const facts: Case = {
      request: { draft: true, merge_status: 'checking' },
      approvals: { approvals_required: 1, approvals_left: 1 },
    }
    expect(checks(facts)).toEqual([
      'failed: It is a draft.',
      'failed: 1 of 1 approval is missing.',
      'waiting: The branches are being checked.',
    ])
  })

  it('does not count commits that the target branch has more, where a merge commit joins them', () => {
    expect(checks({ request: { diverged_commits_count: 2 } })).toEqual([
      'passed: The branches have no conflicts.',
    ])
  })
})

it('takes the place of a line from the diff: both numbers of an unchanged line, one of another', () => {
  const diff = '@@ -1,3 +1,3 @@\n first\n-second\n+2nd\n third\n'
  expect(lineNumbers({ diff }, { line: 1, side: 'new' })).toEqual({ old_line: 1, new_line: 1 })
  expect(lineNumbers({ diff }, { line: 2, side: 'old' })).toEqual({ old_line: 2, new_line: null })
  expect(lineNumbers({ diff }, { line: 2, side: 'new' })).toEqual({ old_line: null, new_line: 2 })
  expect(lineNumbers({ diff }, { line: 9, side: 'new' })).toBeUndefined()
})

it('takes conflicts apart, and replaces one of them by either side or both', () => {
  const text = 'a\n<<<<<<< 1\nours\n=======\ntheirs\n>>>>>>> 2\nb\n<<<<<<< 1\n=======\nnew\n>>>>>>> 2\n'
  const [first, second] = conflictsIn(text)
  expect(second).toMatchObject({ ours: [], theirs: ['new'] })
  expect(first && resolved(text, first, 'both')).toMatch(/^a\nours\ntheirs\nb\n<{7} 1\n/)
  expect(second && resolved(text, second, 'ours')).toMatch(/>{7} 2\nb\n$/)
  expect(conflictsIn('<<<<<<< 1\nwithout an end\n=======\n')).toEqual([])
})

it.each([
  ['at src/a.ts:2:7', null, 'src/a.ts:2'],
  ['File "/builds/ada/app/src/a.ts", line 2', null, 'src/a.ts:2'],
  ['a.ts:2', null, undefined],
  ['src/a.ts:99, then app/src/a.ts(1)', null, 'src/a.ts:1'],
  ['src/a.ts:99', './src/a.ts', 'src/a.ts:1'],
  [null, 'test/b.ts', undefined],
])('shows a failed test with the output "%s" and the file %s at %s', (system_output, file, expected) => {
  const test = { digest: '1', name: 'reads', suite: 'unit', job_id: 1, file, system_output }
  const entries = [{ new_path: 'src/a.ts', diff: '@@ -1,2 +1,2 @@\n same\n-old\n+new\n' }]
  const [found] = failedLines([test], entries)
  expect(found && `${found.position.path}:${found.position.line}`).toBe(expected)
})

it.each([
  ['12-fix-the_parser', [], { title: 'Fix the parser', description: '' }],
  ['ada/fix', [], { title: 'Fix', description: '' }],
  ['--', [], { title: '--', description: '' }],
  [
    'fix',
    [{ title: 'Read on', message: 'Read on\n\nIt stopped.\n' }],
    { title: 'Read on', description: 'It stopped.' },
  ],
])('proposes the text of a merge request of %s with the commits %j', (branch, commits, text) => {
  expect(proposedText(branch, commits)).toEqual(text)
})

it('filters merge requests by people, branches and drafts', () => {
  const { query, unknown, state } = readFilter(
    REQUEST_FILTER,
    'parser reviewer:ada assignee:none reviewer:ben draft:no target:main approved:any state:merged',
  )
  expect({ unknown, state }).toEqual({ unknown: ['reviewer:ben'], state: 'merged' })
  expect(queryText(query)).toBe(
    'reviewer_username=ada&assignee_id=None&wip=no&target_branch=main&approved_by_ids=Any&search=parser',
  )
})

describe('the coverage of changed lines', () => {
  const diff = parseDiff('@@ -1,3 +1,5 @@\n a\n-b\n+B\n+c\n+d\n e\n')

  it.each([
    // Lines 1 and 5 have not changed, and line 9 is not in the diff.
    [{ 1: 0, 2: 3, 3: 0, 4: 1, 5: 0, 9: 0 }, '1 of 3 changed lines not covered'],
    [{ 2: 3, 3: 2 }, '2 changed lines covered'],
    [{ 3: 0 }, '1 of 1 changed line not covered'],
    [{ 3: 4 }, '1 changed line covered'],
  ])('%j: %s', (lines, text) => {
    expect(coverageText(changedCoverage(diff, lines))).toBe(text)
  })

  it('is that of the lines that a report names', () => {
    expect(changedCoverage(diff, { 1: 0 })).toEqual({ known: 0, uncovered: 0 })
  })
})
