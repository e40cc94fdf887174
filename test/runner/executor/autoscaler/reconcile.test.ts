import { expect, test } from 'vitest'

import {
  type InstanceRecord,
  newRecord,
} from '../../../../src/runner/executor/docker/autoscaler/model/instance.js'
import {
  type KnownInstance,
  reconcile,
  type Reconciliation,
} from '../../../../src/runner/executor/docker/autoscaler/plan/reconcile.js'

const POOL = 'ci'
const A = 'ci-0000000a'
const LISTED = 100_000

function known(record: Partial<InstanceRecord>, changes: Partial<KnownInstance> = {}): KnownInstance {
  return {
    record: { ...newRecord(A, 1), ...record },
    isBusy: false,
    misses: 0,
    deletedAt: undefined,
    ...changes,
  }
}

function compare(instances: KnownInstance[], names: string[]): Partial<Reconciliation> {
  const listing = { instances: names.map((name) => ({ name })), startedAt: LISTED }
  const result = reconcile(instances, listing, POOL)
  return Object.fromEntries(Object.entries<unknown[]>({ ...result }).filter(([, list]) => list.length > 0))
}

test.each<[string, KnownInstance[], string[], Partial<Reconciliation>]>([
  ['an earlier process created it', [known({ state: 'creating' })], [A], { found: [{ name: A }] }],
  ['an earlier process may not have created it', [known({ state: 'creating' })], [], {}],
  ['this process creates it', [known({ state: 'creating' }, { isBusy: true })], [A], {}],
  ['it exists', [known({ state: 'ready' })], [A], {}],
  ['it is missing once', [known({ state: 'ready' })], [], { missing: [A] }],
  ['it is missing twice', [known({ state: 'ready' }, { misses: 1 })], [], { missing: [A], lost: [A] }],
  [
    'it is missing, and this process waits for it',
    [known({ state: 'starting' }, { isBusy: true })],
    [],
    { missing: [A] },
  ],
  [
    'it is missing twice, and this process waits for it',
    [known({ state: 'starting' }, { isBusy: true, misses: 1 })],
    [],
    { missing: [A], lost: [A] },
  ],
  ['it was created after the list began', [known({ state: 'starting', since: LISTED })], [], {}],
  ['its deletion is under way', [known({ state: 'deleting' }, { isBusy: true })], [A], {}],
  ['an earlier process began to delete it', [known({ state: 'deleting' })], [A], { undeleted: [A] }],
  ['it was deleted and is gone', [known({ state: 'deleting' }, { deletedAt: 99_999 })], [], { gone: [A] }],
  ['it was deleted and is on its way', [known({ state: 'deleting' }, { deletedAt: 90_000 })], [A], {}],
  [
    'its deletion had no effect',
    [known({ state: 'deleting' }, { deletedAt: 70_000 })],
    [A],
    { undeleted: [A] },
  ],
  ['it was deleted after the list began', [known({ state: 'deleting' }, { deletedAt: LISTED })], [], {}],
  ['nobody recorded it', [], [A], { unknown: [{ name: A }] }],
  ['it belongs to another pool', [], ['ci-2-0000000a', 'other', 'ci-old', 'ci-0000000'], {}],
])('%s', (_, instances, names, wanted) => {
  expect(compare(instances, names)).toEqual(wanted)
})
