import type { Database } from '../../../database/connect.js'
import type { CompositeStatus } from '../../../database/tables/pipelines.js'
import {
  activeCars,
  type CarRow,
  countsOfRun,
  openTests,
  type TestWithStatus,
  type TrainRow,
} from '../../stores/merge-train-store.js'
import type { Car, TrainCounts, TrainState, TrainTest } from './plan/train-state.js'

/** A train as it is stored, and as the planner sees it. */
export interface ReadTrain {
  cars: CarRow[]
  tests: TestWithStatus[]
  state: TrainState
}

export interface TrainSettings {
  merge_trains_limit: number
  allow_merge_on_skipped_pipeline: boolean
}

/** Cars behind these wait until those before them are merged: their results would be written for nothing. */
const MAX_TESTED = 100

/** `target`: the head of the target branch. */
export async function readTrain(
  database: Database,
  train: Pick<TrainRow, 'id' | 'run'>,
  settings: TrainSettings,
  target: string,
): Promise<ReadTrain> {
  const cars = await activeCars(database, train.id)
  const tests = await openTests(database, train.id)
  const state = {
    target,
    cars: cars.slice(0, MAX_TESTED).map(carOf),
    tests: tests.map((test) => testOf(test, settings)),
    counts: await countsOf(database, train),
    limit: settings.merge_trains_limit,
  }
  return { cars, tests, state }
}

export function carOf({ id, parent_sha, commit_sha }: CarRow): Car {
  const built = parent_sha === null ? undefined : { parent: parent_sha, commit: commit_sha ?? undefined }
  return { id, built }
}

function testOf(test: TestWithStatus, settings: TrainSettings): TrainTest {
  return { id: test.id, commit: test.commit_sha, status: statusOf(test, settings) }
}

/** A pipeline that a user has canceled counts as failed. One that does not exist yet counts as running. */
function statusOf(
  { state, status, refusal }: TestWithStatus,
  { allow_merge_on_skipped_pipeline }: TrainSettings,
): TrainTest['status'] {
  if (state === 'canceled') return 'canceled'
  if (refusal !== null) return 'failed'
  if (status === 'skipped') return allow_merge_on_skipped_pipeline ? 'passed' : 'failed'
  return status === null ? 'running' : (ENDED[status] ?? 'running')
}

const ENDED: Partial<Record<CompositeStatus, TrainTest['status']>> = {
  success: 'passed',
  failed: 'failed',
  canceled: 'failed',
}

async function countsOf(database: Database, train: Pick<TrainRow, 'id' | 'run'>): Promise<TrainCounts> {
  const { cars, tests } = await countsOfRun(database, train)
  const sum = (counts: Iterable<number>) => [...counts].reduce((total, count) => total + count, 0)
  return {
    entered: sum(cars.values()),
    merged: cars.get('merged') ?? 0,
    dropped: cars.get('dropped') ?? 0,
    left: (cars.get('left') ?? 0) + (cars.get('skip_merged') ?? 0),
    started: sum(tests.values()),
    excused: tests.get('lost') ?? 0,
  }
}
