import { expect, test } from 'vitest'

import type { JobProfile, KindProfile } from '../../../../../src/coordinator/ci/queue/match.js'
import {
  findPendingReason,
  type RunnerKind,
} from '../../../../../src/coordinator/ci/queue/waiting/pending-reason.js'
import { placeInQueue } from '../../../../../src/coordinator/ci/queue/waiting/place-in-queue.js'
import type { PendingReason } from '../../../../../src/coordinator/database/tables/job-columns.js'

const JOB: JobProfile = {
  projectId: 7,
  projectPath: 'team/app',
  tags: [],
  protected: false,
  instanceRunnersAllowed: true,
  groupRunnersAllowed: true,
}

function runner(profile: Partial<KindProfile> = {}, state: Partial<RunnerKind> = {}): RunnerKind {
  const any = { type: 'instance_type', active: true, runUntagged: true } as const
  const limits = { protectedOnly: false, projectIds: new Set<number>(), groupPath: undefined }
  return {
    profile: { ...any, ...limits, tags: new Set(), ...profile },
    isOnline: true,
    ...state,
  }
}

const tagged = (...tags: string[]) => runner({ tags: new Set(tags), runUntagged: false })

interface Case {
  name: string
  job?: Partial<JobProfile>
  runners: RunnerKind[]
  pendingReason: PendingReason
}

const cases: Case[] = [
  {
    name: 'no runner at all',
    runners: [],
    pendingReason: { reason: 'no_runner', message: 'No runner is available to this project.' },
  },
  {
    name: 'only runners that it does without, and those of others',
    job: { instanceRunnersAllowed: false, groupRunnersAllowed: false },
    runners: [
      runner(),
      runner({ type: 'group_type', groupPath: 'team' }),
      runner({ type: 'project_type', projectIds: new Set([8]) }),
    ],
    pendingReason: {
      reason: 'no_runner',
      message:
        'No runner is available to this project, and instance runners and group runners are disabled for it.',
    },
  },
  {
    name: 'a tag that nobody has',
    job: { tags: ['docker', 'gpu'] },
    runners: [tagged('docker'), runner()],
    pendingReason: {
      reason: 'missing_tags',
      message: 'No runner of this project has the tag "gpu".',
      missing_tags: ['gpu'],
    },
  },
  {
    name: 'tags that nobody has',
    job: { tags: ['arm', 'docker', 'gpu'] },
    runners: [tagged('docker')],
    pendingReason: {
      reason: 'missing_tags',
      message: 'No runner of this project has the tags "arm" and "gpu".',
      missing_tags: ['arm', 'gpu'],
    },
  },
  {
    name: 'tags that nobody has together',
    job: { tags: ['arm', 'docker'] },
    runners: [tagged('docker'), tagged('arm')],
    pendingReason: {
      reason: 'missing_tags',
      message: 'No runner of this project has all of the tags "arm" and "docker".',
      missing_tags: ['arm', 'docker'],
    },
  },
  {
    name: 'no tags where all runners want some',
    runners: [tagged('docker')],
    pendingReason: {
      reason: 'untagged',
      message: 'The job has no tags, and every runner of this project requires tags.',
    },
  },
  {
    name: 'protection',
    runners: [runner({ protectedOnly: true }), tagged('docker')],
    pendingReason: {
      reason: 'protected',
      message: 'All runners with the tags of the job take only jobs of protected branches and tags.',
    },
  },
  {
    name: 'a pause',
    runners: [runner({ active: false }), runner({ protectedOnly: true })],
    pendingReason: { reason: 'paused', message: 'All suitable runners are paused.' },
  },
  {
    name: 'silence',
    runners: [runner({}, { isOnline: false }), runner({ active: false })],
    pendingReason: {
      reason: 'offline',
      message: 'No suitable runner has been in contact in the last two hours.',
    },
  },
]

test.each(cases)('pending reason: $name', ({ job, runners, pendingReason }) => {
  expect(findPendingReason({ ...JOB, ...job }, runners)).toEqual(pendingReason)
})

test('a job has no pending reason if any runner may take it', () => {
  const others = [tagged('docker'), runner({ active: false }), runner({}, { isOnline: false })]
  expect(findPendingReason(JOB, [...others, runner()])).toBeUndefined()
})

/** CI language, 14.2: P1 has the jobs 1, 2, 3, P2 4 and 5, P3 6; served in the order 1, 4, 6, 2, 5, 3. */
const PROJECTS = [[1, 2, 3], [4, 5], [6]]

test.each([
  [1, 1],
  [2, 4],
  [3, 6],
  [4, 2],
  [5, 5],
  [6, 3],
])('job %i of the worked example is number %i for an instance runner', (job, place) => {
  const own = PROJECTS.find((jobs) => jobs.includes(job)) ?? []
  const contender = { before: own.indexOf(job), running: 0 }
  const others = PROJECTS.filter((jobs) => jobs !== own).map((jobs) => ({
    jobs: jobs.length,
    older: jobs.filter((id) => id < job).length,
    running: 0,
  }))
  expect(placeInQueue(contender, others, new Set(['instance_type']))).toBe(place)
  expect(placeInQueue(contender, others, new Set(['group_type']))).toBe(job)
})

test('running jobs on instance runners lower the priority of their project', () => {
  const other = { jobs: 5, older: 0, running: 0 }
  expect(placeInQueue({ before: 0, running: 2 }, [other], new Set(['instance_type']))).toBe(3)
  expect(
    placeInQueue({ before: 0, running: 0 }, [{ ...other, running: 2 }], new Set(['instance_type'])),
  ).toBe(1)
})
