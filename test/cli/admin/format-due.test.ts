import { expect, test } from 'vitest'

import { formatDue } from '../../../src/cli/commands/admin/format-due.js'

const NOTHING = {
  pipelines: 0,
  jobs: 0,
  logBytes: 0,
  artifacts: 0,
  artifactBytes: 0,
  oldLogs: 0,
  oldLogBytes: 0,
  excessLogs: 0,
  excessLogBytes: 0,
  excessArtifacts: 0,
  excessArtifactBytes: 0,
}

test('what is due has a line for each project and limit, what was deleted one for each day, project and kind', () => {
  const lines = formatDue({
    projects: [
      { ...NOTHING, projectId: 1, path: 'g/a', pipelines: 2, jobs: 3, logBytes: 10, oldLogs: 4 },
      { ...NOTHING, projectId: 2, path: 'g/b', excessArtifacts: 1, excessArtifactBytes: 20 },
    ],
    activityEvents: 5,
    removed: [
      { day: '2030-01-02', projectId: null, path: null, kind: 'activity_events', number: 6, bytes: 0 },
      { day: '2030-01-01', projectId: 1, path: 'g/a', kind: 'logs', number: 7, bytes: 30 },
      { day: '2030-01-01', projectId: 9, path: null, kind: 'pipelines', number: 8, bytes: 0 },
    ],
  })
  expect(lines.split('\n')).toEqual([
    'Due now:',
    expect.stringMatching(/^ {2}g\/a: 2 pipelines, 3 jobs, 10 \S+ of logs, 0 artifacts/),
    expect.stringMatching(/^ {2}g\/a: 4 logs .* by age$/),
    expect.stringMatching(/^ {2}g\/b: 0 logs .*, 1 artifacts \(20 \S+\) by size$/),
    '  5 activity events',
    'Deleted in the last 30 days:',
    '  2030-01-02: 6 activity events',
    expect.stringMatching(/^ {2}2030-01-01: g\/a: 7 logs \(30 \S+\)$/),
    '  2030-01-01: project 9 (deleted): 8 pipelines',
  ])
})

test('nothing is shown as nothing', () => {
  expect(formatDue({ projects: [], activityEvents: 0, removed: [] })).toBe(
    'Due now:\n  nothing\nDeleted in the last 30 days:\n  nothing',
  )
})
