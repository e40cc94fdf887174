import { expect, test } from 'vitest'

import {
  type InstanceRecord,
  newRecord,
} from '../../../../src/runner/executor/docker/autoscaler/model/instance.js'
import {
  plan,
  type PlanInput,
  type PlannedInstance,
  untilNextPlan,
} from '../../../../src/runner/executor/docker/autoscaler/plan/plan.js'
import { NO_POLICY } from '../../../../src/runner/executor/docker/autoscaler/policy/active-policy.js'

const NOW = Date.parse('2026-06-05T12:00:30Z')
const MINUTE = 60_000

type Changes = Partial<InstanceRecord> & { unconfirmed?: boolean; failures?: number }

function machine(
  name: string,
  { unconfirmed = false, failures = 0, ...record }: Changes = {},
): PlannedInstance {
  return {
    record: { ...newRecord(name, NOW - MINUTE), state: 'ready', ...record },
    isUnconfirmed: unconfirmed,
    failures,
  }
}

type Scene = Partial<Omit<PlanInput, 'limits' | 'policy'>> & {
  limits?: Partial<PlanInput['limits']>
  policy?: Partial<PlanInput['policy']>
}

function input({ limits, policy, ...scene }: Scene): PlanInput {
  return {
    instances: [],
    waiting: 0,
    created: [],
    notBefore: 0,
    now: NOW,
    policy: { ...NO_POLICY, idleTime: 5 * MINUTE, ...policy },
    limits: {
      capacityPerInstance: 1,
      maxUseCount: Infinity,
      maxInstances: 10,
      maxCreatePerMinute: Infinity,
      instanceReadyTimeout: 10 * MINUTE,
      failureThreshold: 3,
      ...limits,
    },
    ...scene,
  }
}

/** The plan in short: the number to create, then the names that are drained, then those that are deleted. */
function shortPlan(scene: Scene): string {
  const { create, drain, delete: removals } = plan(input(scene))
  const names = (of: { name: string }[]) => of.map(({ name }) => name).join('+') || '-'
  return `${create} ${names(drain)} ${names(removals)}`
}

const busy = { jobs: [1], used: 1 }
const longIdle = { changedAt: NOW - 6 * MINUTE }

test.each<[string, Scene, string]>([
  ['nothing is wanted', {}, '0 - -'],
  ['a job waits', { waiting: 1 }, '1 - -'],
  ['a machine is free for the job', { waiting: 1, instances: [machine('a')] }, '0 - -'],
  ['a machine for the job starts', { waiting: 1, instances: [machine('a', { state: 'starting' })] }, '0 - -'],
  [
    'a machine for the job is created',
    { waiting: 1, instances: [machine('a', { state: 'creating' })] },
    '0 - -',
  ],
  [
    'nobody knows whether the machine will come',
    { waiting: 1, instances: [machine('a', { state: 'creating', unconfirmed: true })] },
    '1 - -',
  ],
  ['the machine is busy', { waiting: 1, instances: [machine('a', busy)] }, '1 - -'],
  ['the engine of the machine is away', { waiting: 1, instances: [machine('a', { failures: 1 })] }, '1 - -'],
  ['the machine drains', { waiting: 1, instances: [machine('a', { state: 'draining', ...busy })] }, '1 - -'],
  ['several jobs share a machine', { waiting: 5, limits: { capacityPerInstance: 2 } }, '3 - -'],
  [
    'the room of a machine is used first',
    { waiting: 5, limits: { capacityPerInstance: 4 }, instances: [machine('a', busy)] },
    '1 - -',
  ],
  [
    'a machine does not get more jobs than max_use_count',
    { waiting: 5, limits: { capacityPerInstance: 4, maxUseCount: 2 } },
    '3 - -',
  ],
  ['no more than max_instances', { waiting: 20 }, '10 - -'],
  [
    'machines in every state count for max_instances',
    {
      waiting: 20,
      limits: { maxInstances: 5 },
      instances: [
        machine('a', busy),
        machine('b', { state: 'draining', ...busy }),
        machine('c', { state: 'deleting' }),
        machine('d', { state: 'creating', unconfirmed: true }),
      ],
    },
    '1 - -',
  ],
  [
    'no more than max_create_per_minute',
    { waiting: 20, limits: { maxCreatePerMinute: 3 }, created: [NOW - MINUTE, NOW - MINUTE + 1, NOW] },
    '1 - -',
  ],
  ['creations failed lately', { waiting: 1, notBefore: NOW + 1 }, '0 - -'],
  ['the pause after failures is over', { waiting: 1, notBefore: NOW }, '1 - -'],
  ['idle machines are wanted', { policy: { idleCount: 3 } }, '3 - -'],
  ['idle machines are wanted beside the jobs', { waiting: 2, policy: { idleCount: 3 } }, '5 - -'],
  ['busy machines are not idle ones', { policy: { idleCount: 1 }, instances: [machine('a', busy)] }, '1 - -'],
  [
    'the scale factor counts running jobs',
    { policy: { scaleFactor: 2 }, instances: [machine('a', busy), machine('b', { jobs: [2], used: 1 })] },
    '4 - -',
  ],
  ['a machine was idle for idle_time', { instances: [machine('a', longIdle)] }, '0 a -'],
  ['a machine was idle for less', { instances: [machine('a', { changedAt: NOW - MINUTE })] }, '0 - -'],
  ['the idle machine is wanted', { policy: { idleCount: 1 }, instances: [machine('a', longIdle)] }, '0 - -'],
  [
    'the machine that was idle longest goes first',
    {
      policy: { idleCount: 1 },
      instances: [machine('a', longIdle), machine('b', { changedAt: NOW - 7 * MINUTE })],
    },
    '0 b -',
  ],
  ['a busy machine is not idle', { instances: [machine('a', { ...longIdle, ...busy })] }, '0 - -'],
  [
    'a machine that ran max_use_count jobs gets no more',
    { limits: { maxUseCount: 1 }, waiting: 1, instances: [machine('a', busy)] },
    '1 a -',
  ],
  ['a drained machine is deleted', { instances: [machine('a', { state: 'draining' })] }, '0 - a'],
  [
    'a machine with a job is not deleted',
    { instances: [machine('a', { state: 'draining', ...busy })] },
    '0 - -',
  ],
  [
    'a machine did not become ready in time',
    { instances: [machine('a', { state: 'starting', createdAt: NOW - 10 * MINUTE })] },
    '0 - a',
  ],
  [
    'a creation of an earlier process had no effect',
    { instances: [machine('a', { state: 'creating', createdAt: NOW - 10 * MINUTE, unconfirmed: true })] },
    '0 - a',
  ],
  ['an engine is away for long', { instances: [machine('a', { failures: 3 })] }, '0 a -'],
  ['an engine is away for a moment', { instances: [machine('a', { failures: 2 })] }, '0 - -'],
  [
    'max_instances was lowered',
    {
      limits: { maxInstances: 1 },
      policy: { idleCount: 3 },
      instances: [machine('a', busy), machine('b'), machine('c')],
    },
    '0 b+c -',
  ],
])('%s', (_, scene, wanted) => {
  expect(shortPlan(scene)).toBe(wanted)
})

test('the next plan is due when an idle time ends', () => {
  expect(untilNextPlan(input({ instances: [machine('a', { changedAt: NOW - 5 * MINUTE + 7 })] }))).toBe(7)
  expect(untilNextPlan(input({ created: [NOW - MINUTE + 9] }))).toBe(9)
  expect(untilNextPlan(input({ notBefore: NOW + 11 }))).toBe(11)
  // The policy may change with the minute.
  expect(untilNextPlan(input({}))).toBe(30_000)
})
