/*
 * Moves a merge train. Nothing is kept in memory: each step reads what is stored, and plans from that, so that it can be
 * repeated after a crash, and by another coordinator.
 *
 *     take out cars that must not be merged ──▶ give up tests of other commits ──▶ create missing pipelines
 *       ──▶ plan ──▶ perform the actions ──▶ from the beginning, until there is nothing to do
 */
import { cancelPipeline } from '../../../ci/engine/retry/cancel.js'
import type { Database } from '../../../database/connect.js'
import type { PipelineRow, ProjectRow } from '../../../database/tables/pipeline-rows.js'
import type { RefChanger } from '../../../hosting/repositories/change/change-refs.js'
import { findProject } from '../../../hosting/repositories/store.js'
import { findMergeRequestById, type MergeRequestRow } from '../../stores/merge-request-store.js'
import {
  activeCars,
  type CarRow,
  insertTest,
  type TestWithStatus,
  type TrainRow,
  updateTest,
} from '../../stores/merge-train-store.js'
import { findHeadsOwners } from '../required-owners.js'
import { buildResult } from './build-result.js'
import { dropCar, refreshCar } from './leave-train.js'
import { mergeResults } from './merge-results.js'
import { chainOf } from './plan/chain.js'
import { planTrain } from './plan/plan-train.js'
import type { TrainAction } from './plan/train-state.js'
import { type ReadTrain, readTrain } from './read-train.js'
import { startTest } from './start-test.js'
import type { TrainDeps } from './train-deps.js'
import { checkCar } from './why-it-leaves.js'

/** Does everything that can be done now. May be repeated at any time. */
export async function driveTrain(deps: TrainDeps, train: TrainRow, signal: AbortSignal): Promise<void> {
  while (await driveOnce(deps, train, signal)) signal.throwIfAborted()
}

/** Whether something was done, so that there may be more to do. */
async function driveOnce(deps: TrainDeps, train: TrainRow, signal: AbortSignal): Promise<boolean> {
  const { database, repositories } = deps.pushes
  const project = await findProject(database, train.project_id)
  if (!project) return false
  if (await isMerging(deps, train)) return false
  const target = await repositories.resolveRef(project.id, `refs/heads/${train.target_branch}`)
  const present = await presentRun(database, train)
  const read = await readTrain(database, present, project, target?.sha ?? '')
  if (await giveUpDetached(deps, read)) return true
  if (!target || read.cars.length === 0) return false
  if (await createMissing(deps, read)) return true
  const actions = planTrain(read.state)
  for (const action of actions) await perform(deps, { train, project, read, signal }, action)
  return actions.length > 0
}

/** The run may have changed since the train was claimed. */
async function presentRun(database: Database, { id, run }: TrainRow): Promise<Pick<TrainRow, 'id' | 'run'>> {
  const row = await database.selectFrom('merge_train').select('run').where('id', '=', id).executeTakeFirst()
  return { id, run: row?.run ?? run }
}

/** Takes out cars that must not be merged. Returns whether a merge is under way: it wakes the train when it has ended. */
async function isMerging({ pushes }: TrainDeps, { id }: TrainRow): Promise<boolean> {
  const { database } = pushes
  let merging = false
  for (const car of await activeCars(database, id)) {
    const row = await findMergeRequestById(database, car.merge_request_id)
    if (row) await findHeadsOwners(pushes, row, row.head_sha ?? undefined)
    if (await refreshCar(database, car)) merging = true
  }
  return merging
}

/** Gives up tests of commits that are not results of the train any more. Returns whether there were any. */
async function giveUpDetached(deps: TrainDeps, { state, tests }: ReadTrain): Promise<boolean> {
  const { detached } = chainOf(state)
  const { database } = deps.pushes
  for (const { id } of detached) {
    const test = tests.find((one) => one.id === id)
    if (!test) continue
    const car = await database
      .selectFrom('merge_train_car')
      .select('state')
      .where('id', '=', test.car_id)
      .executeTakeFirst()
    await stopPipeline(deps, test)
    await updateTest(database, id, { state: car?.state === 'merged' ? 'spent' : 'lost' })
  }
  return detached.length > 0
}

async function stopPipeline({ engine }: TrainDeps, { pipeline_id, status }: TestWithStatus): Promise<void> {
  if (pipeline_id === null || status === null || ENDED.has(status)) return
  const pipeline = await findPipeline(engine.database, pipeline_id)
  if (pipeline) await cancelPipeline(engine, pipeline)
}

const ENDED = new Set(['success', 'failed', 'canceled', 'skipped'])

function findPipeline(database: Database, id: number): Promise<PipelineRow | undefined> {
  return database.selectFrom('pipeline').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Creates pipelines that were planned, and are not known to exist. Returns whether there were any. */
async function createMissing(deps: TrainDeps, { tests, cars }: ReadTrain): Promise<boolean> {
  const { database } = deps.pushes
  const missing = tests.filter(
    ({ state, pipeline_id, refusal }) => state === 'open' && pipeline_id === null && refusal === null,
  )
  for (const test of missing) {
    const car = cars.find(({ id }) => id === test.car_id)
    const row = car && (await findMergeRequestById(database, car.merge_request_id))
    if (!car || !row) continue
    const check = await checkCar(database, car, row)
    if (check.kind === 'stays') await startTest(deps, test, check.giver, row)
  }
  return missing.length > 0
}

interface Turn {
  train: TrainRow
  project: ProjectRow
  read: ReadTrain
  signal: AbortSignal
}

async function perform(deps: TrainDeps, turn: Turn, action: TrainAction): Promise<void> {
  switch (action.kind) {
    case 'build':
      return build(deps, turn, action)
    case 'start':
      return insertTest(deps.pushes.database, carIn(turn, action.car), action.commit)
    case 'cancel':
      return cancel(deps, turn, action)
    case 'drop':
      return drop(deps, turn, action)
    case 'merge':
      return merge(deps, turn, action)
  }
}

function carIn({ read }: Turn, id: number): CarRow {
  const car = read.cars.find((one) => one.id === id)
  if (!car) throw new Error(`The car ${id} is not in the train`)
  return car
}

function testIn({ read }: Turn, id: number): TestWithStatus {
  const test = read.tests.find((one) => one.id === id)
  if (!test) throw new Error(`The test ${id} is not one of the train`)
  return test
}

/** The user who has added the car, with their present rights; undefined if it has left since. */
async function mergerOf(
  { pushes }: TrainDeps,
  { signal }: Turn,
  car: CarRow,
): Promise<{ row: MergeRequestRow; merger: RefChanger } | undefined> {
  const row = await findMergeRequestById(pushes.database, car.merge_request_id)
  if (!row) return undefined
  const check = await checkCar(pushes.database, car, row)
  return check.kind === 'stays' ? { row, merger: { ...check.giver, signal } } : undefined
}

async function build(
  deps: TrainDeps,
  turn: Turn,
  { car: id, parent }: TrainAction & { kind: 'build' },
): Promise<void> {
  const car = carIn(turn, id)
  const found = await mergerOf(deps, turn, car)
  if (found) await buildResult(deps, found.merger, { car, row: found.row, parent })
}

async function cancel(deps: TrainDeps, turn: Turn, { test: id }: TrainAction & { kind: 'cancel' }) {
  await updateTest(deps.pushes.database, id, { state: 'canceled' })
  await stopPipeline(deps, testIn(turn, id))
}

async function drop(deps: TrainDeps, turn: Turn, action: TrainAction & { kind: 'drop' }): Promise<void> {
  const { read } = turn
  const because = whyDropped(turn, action)
  const { database } = deps.pushes
  if (!(await dropCar(database, carIn(turn, action.car), read.tests, because))) return
  for (const test of read.tests) await stopPipeline(deps, test)
}

function whyDropped(turn: Turn, { reason, test }: TrainAction & { kind: 'drop' }): string {
  if (reason === 'conflict' || test === undefined) return 'it conflicts with the target branch'
  const { refusal, pipeline_id } = testIn(turn, test)
  return refusal === null
    ? `its pipeline #${pipeline_id} has failed`
    : `its pipeline could not be created: ${refusal.replace(/\.$/, '')}`
}

async function merge(deps: TrainDeps, turn: Turn, action: TrainAction & { kind: 'merge' }): Promise<void> {
  const cars = action.cars.map((id) => carIn(turn, id))
  const last = cars.at(-1)
  const found = last && (await mergerOf(deps, turn, last))
  if (!found) return
  const { from, commit } = action
  const results = { cars, from, commit, pipelineId: testIn(turn, action.test).pipeline_id }
  const problem = await mergeResults(deps, turn.train, found.merger, results)
  if (problem?.kind !== 'refused') return
  // The rules for commits would refuse them again.
  const because = problem.message.replace(/\.$/, '')
  for (const car of cars) await dropCar(deps.pushes.database, car, turn.read.tests, because)
}
