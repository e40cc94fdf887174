import type { Selectable, Updateable } from 'kysely'

import type { Database } from '../../database/connect.js'
import type {
  MergeTrainCarState,
  MergeTrainCarTable,
  MergeTrainTable,
  MergeTrainTestState,
  MergeTrainTestTable,
} from '../../database/tables/merge-trains.js'
import type { CompositeStatus } from '../../database/tables/pipelines.js'
import { afterCommit, storeOf, type Transaction } from '../../database/transaction.js'
import type { MergeRequestRow } from './merge-request-store.js'

export type TrainRow = Selectable<MergeTrainTable>
export type CarRow = Selectable<MergeTrainCarTable>
export type TestRow = Selectable<MergeTrainTestTable>

/** A test with the status of its pipeline; null = there is none. */
export type TestWithStatus = TestRow & { status: CompositeStatus | null }

/** Maximum number of trains per query; the rest follow in the next one. */
const MAX_FOUND = 1000

const wakers = new WeakMap<Database, () => void>()

/** Calls `wake` after each transaction on this store after which a train may go on. */
export function onTrainWoken(database: Database, wake: () => void): void {
  wakers.set(database, wake)
}

/** Whether a merge request that waits is merged by the merge train of its target branch. */
export function isForTrain({
  merge_when_pipeline_succeeds,
  merge_params,
}: Pick<MergeRequestRow, 'merge_when_pipeline_succeeds' | 'merge_params'>): boolean {
  if (!merge_when_pipeline_succeeds || merge_params === null) return false
  const { auto_merge_strategy } = JSON.parse(merge_params) as { auto_merge_strategy?: string }
  return auto_merge_strategy === 'merge_train'
}

function wakeAfter(tx: Transaction): void {
  afterCommit(tx, () => wakers.get(storeOf(tx))?.())
}

/** Lets the train of a branch, if there is one, look at everything again. */
export async function wakeTrain(tx: Transaction, projectId: number, branch: string): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable('merge_train')
    .set((eb) => ({ generation: eb('generation', '+', 1) }))
    .where('project_id', '=', projectId)
    .where('target_branch', '=', branch)
    .executeTakeFirst()
  if (numUpdatedRows > 0n) wakeAfter(tx)
}

/** As `wakeTrain`, for the trains that these pipelines test. */
export async function wakeTrainsOfPipelines(tx: Transaction, pipelineIds: readonly number[]): Promise<void> {
  if (pipelineIds.length === 0) return
  const { numUpdatedRows } = await tx
    .updateTable('merge_train')
    .set((eb) => ({ generation: eb('generation', '+', 1) }))
    .where('id', 'in', ({ selectFrom }) =>
      selectFrom('merge_train_test').select('train_id').where('pipeline_id', 'in', pipelineIds),
    )
    .executeTakeFirst()
  if (numUpdatedRows > 0n) wakeAfter(tx)
}

/** As `wakeTrain`, for all trains with cars, in case that something has changed about which nobody has told them. */
export async function wakeAllTrains(tx: Transaction): Promise<void> {
  const trains = await tx
    .selectFrom('merge_train_car')
    .select('train_id')
    .distinct()
    .where('state', '=', 'active')
    .execute()
  if (trains.length === 0) return
  const ids = trains.map(({ train_id }) => train_id)
  await tx
    .updateTable('merge_train')
    .set((eb) => ({ generation: eb('generation', '+', 1) }))
    .where('id', 'in', ids)
    .execute()
  wakeAfter(tx)
}

/** Trains that may have something to do, oldest first. */
export function findTrainsToPlan(database: Database): Promise<TrainRow[]> {
  return database
    .selectFrom('merge_train')
    .selectAll()
    .whereRef('generation', '<>', 'planned_generation')
    .orderBy('id')
    .limit(MAX_FOUND)
    .execute()
}

/** False if another coordinator has claimed it. */
export async function claimTrain(
  database: Database,
  { id, claimed_until }: Pick<TrainRow, 'id' | 'claimed_until'>,
  until: number,
): Promise<boolean> {
  const { numUpdatedRows } = await database
    .updateTable('merge_train')
    .set({ claimed_until: until })
    .where('id', '=', id)
    .where('claimed_until', claimed_until === null ? 'is' : '=', claimed_until)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export async function renewTrain(database: Database, id: number, until: number | null): Promise<void> {
  await database.updateTable('merge_train').set({ claimed_until: until }).where('id', '=', id).execute()
}

/** Records that everything was done for this generation, and releases the train. False if it was woken since then. */
export async function finishTrain(
  database: Database,
  { id, generation }: Pick<TrainRow, 'id' | 'generation'>,
): Promise<boolean> {
  const row = await database
    .updateTable('merge_train')
    .set({ planned_generation: generation, claimed_until: null })
    .where('id', '=', id)
    .returning('generation')
    .executeTakeFirst()
  return row === undefined || row.generation === generation
}

export function findTrain(
  database: Database,
  projectId: number,
  branch: string,
): Promise<TrainRow | undefined> {
  return database
    .selectFrom('merge_train')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('target_branch', '=', branch)
    .executeTakeFirst()
}

/** Locks the train of a branch until `tx` ends; it is created if there is none. */
async function lockTrain(tx: Transaction, projectId: number, branch: string): Promise<TrainRow> {
  await tx
    .insertInto('merge_train')
    .values({ project_id: projectId, target_branch: branch, created_at: Date.now() })
    .onConflict((conflict) => conflict.columns(['project_id', 'target_branch']).doNothing())
    .execute()
  return tx
    .updateTable('merge_train')
    .set(({ ref }) => ({ run: ref('run') }))
    .where('project_id', '=', projectId)
    .where('target_branch', '=', branch)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Begins a new run of an empty train: the counters of the previous run are not used any more. */
async function beginRun(tx: Transaction, { id, run }: TrainRow): Promise<number> {
  await tx.deleteFrom('merge_train_test').where('train_id', '=', id).where('run', '<', run).execute()
  await tx
    .deleteFrom('merge_train_car')
    .where('train_id', '=', id)
    .where('state', 'in', ['dropped', 'left'])
    .execute()
  const train = await tx
    .updateTable('merge_train')
    .set({ run: run + 1 })
    .where('id', '=', id)
    .returning('run')
    .executeTakeFirstOrThrow()
  return train.run
}

/**
 * Adds a merge request to the end of the train of its target branch; returns its position from 1 on, and undefined if it
 * is in a train already.
 */
export async function addCar(
  tx: Transaction,
  { id, project_id, target_branch, head_sha }: MergeRequestRow & { head_sha: string },
  userId: number,
): Promise<number | undefined> {
  const train = await lockTrain(tx, project_id, target_branch)
  if (await activeCarOf(tx, id)) {
    await wakeTrain(tx, project_id, target_branch)
    return undefined
  }
  const before = await activeCars(tx, train.id)
  const run = before.length === 0 ? await beginRun(tx, train) : train.run
  const now = Date.now()
  await tx
    .insertInto('merge_train_car')
    .values({
      train_id: train.id,
      run,
      merge_request_id: id,
      user_id: userId,
      head_sha,
      created_at: now,
      updated_at: now,
    })
    .execute()
  await wakeTrain(tx, project_id, target_branch)
  return before.length + 1
}

/** Takes a merge request out of its train, if it is in one. */
export async function leaveTrain(tx: Transaction, mergeRequestId: number): Promise<void> {
  const car = await activeCarOf(tx, mergeRequestId)
  if (!car) return
  await updateActiveCar(tx, car.id, { state: 'left' })
  await tx
    .updateTable('merge_train')
    .set((eb) => ({ generation: eb('generation', '+', 1) }))
    .where('id', '=', car.train_id)
    .execute()
  wakeAfter(tx)
}

export function activeCarOf(database: Database, mergeRequestId: number): Promise<CarRow | undefined> {
  return database
    .selectFrom('merge_train_car')
    .selectAll()
    .where('merge_request_id', '=', mergeRequestId)
    .where('state', '=', 'active')
    .executeTakeFirst()
}

/** The cars that are in the train, in the order in which they are merged. */
export function activeCars(database: Database, trainId: number): Promise<CarRow[]> {
  return database
    .selectFrom('merge_train_car')
    .selectAll()
    .where('train_id', '=', trainId)
    .where('state', '=', 'active')
    .orderBy('id')
    .execute()
}

/** Changes a car that is in a train; false if it is not any more. */
export async function updateActiveCar(
  database: Database,
  id: number,
  changes: Updateable<MergeTrainCarTable>,
): Promise<boolean> {
  const { numUpdatedRows } = await database
    .updateTable('merge_train_car')
    .set({ ...changes, updated_at: Date.now() })
    .where('id', '=', id)
    .where('state', '=', 'active')
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Tests that were not given up, with the statuses of their pipelines, oldest first. */
export function openTests(database: Database, trainId: number): Promise<TestWithStatus[]> {
  return database
    .selectFrom('merge_train_test')
    .leftJoin('pipeline', 'pipeline.id', 'merge_train_test.pipeline_id')
    .selectAll('merge_train_test')
    .select('pipeline.status as status')
    .where('merge_train_test.train_id', '=', trainId)
    .where('merge_train_test.state', 'in', ['open', 'canceled'])
    .orderBy('merge_train_test.id')
    .execute()
}

/** Stores that the result of a car is to be tested, unless it is already; its pipeline is created afterwards. */
export async function insertTest(
  database: Database,
  { id, train_id, run }: Pick<CarRow, 'id' | 'train_id' | 'run'>,
  commit: string,
): Promise<void> {
  const values = { train_id, run, car_id: id, commit_sha: commit, created_at: Date.now() }
  await database
    .insertInto('merge_train_test')
    .values(values)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Whether the test waits for its pipeline to be created. Locks it until `tx` ends. */
export async function lockTestWithoutPipeline(tx: Transaction, id: number): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('merge_train_test')
    .set(({ ref }) => ({ run: ref('run') }))
    .where('id', '=', id)
    .where('state', '=', 'open')
    .where('pipeline_id', 'is', null)
    .where('refusal', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export async function updateTest(
  database: Database,
  id: number,
  changes: Updateable<MergeTrainTestTable>,
): Promise<void> {
  await database.updateTable('merge_train_test').set(changes).where('id', '=', id).execute()
}

/** The numbers of cars and tests of the present run by their states. */
export async function countsOfRun(
  database: Database,
  { id, run }: Pick<TrainRow, 'id' | 'run'>,
): Promise<{ cars: Map<MergeTrainCarState, number>; tests: Map<MergeTrainTestState, number> }> {
  const cars = await database
    .selectFrom('merge_train_car')
    .select(['state', ({ fn }) => fn.countAll().as('count')])
    .where('train_id', '=', id)
    .where('run', '=', run)
    .groupBy('state')
    .execute()
  const tests = await database
    .selectFrom('merge_train_test')
    .select(['state', ({ fn }) => fn.countAll().as('count')])
    .where('train_id', '=', id)
    .where('run', '=', run)
    .groupBy('state')
    .execute()
  return {
    cars: new Map(cars.map(({ state, count }) => [state, Number(count)])),
    tests: new Map(tests.map(({ state, count }) => [state, Number(count)])),
  }
}
