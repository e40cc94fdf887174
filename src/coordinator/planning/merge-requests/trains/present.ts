import { may } from '../../../access/access.js'
import type { Database } from '../../../database/connect.js'
import type { PipelineRow } from '../../../database/tables/pipeline-rows.js'
import type { Repositories } from '../../../hosting/repositories/repositories.js'
import { presentPipelineBrief } from '../../../http/presenters/present-pipeline.js'
import { isoTime, isoTimeOrNull } from '../../../http/presenters/present-time.js'
import { presentUser } from '../../../http/presenters/present-user.js'
import { usersById } from '../../../http/presenters/users-by-id.js'
import type { CallerInProject } from '../../access/issue-access.js'
import { plannedFields } from '../../record-fields.js'
import type { MergeRequestRow } from '../../stores/merge-request-store.js'
import { activeCars, type CarRow, openTests, type TestRow } from '../../stores/merge-train-store.js'
import { chainOf } from './plan/chain.js'
import { carOf } from './read-train.js'
import type { MergeTrainCar } from './schema.js'

export interface PresentCarDeps {
  database: Database
  repositories: Pick<Repositories, 'resolveRef'>
  /** Public address without a trailing slash. */
  externalUrl: string
}

/** The records of cars of one project, in the order of `cars`. */
export async function presentCars(
  deps: PresentCarDeps,
  caller: CallerInProject,
  cars: readonly CarRow[],
): Promise<MergeTrainCar[]> {
  const { database, externalUrl } = deps
  const users = await usersById(
    database,
    cars.map(({ user_id }) => user_id),
  )
  const rows = await mergeRequestsById(database, cars)
  const tests = await testsOf(deps, caller, cars)
  const pipelines = await pipelinesOf(database, caller, [
    ...cars,
    ...[...tests.values()].map(({ test }) => test),
  ])
  return cars.flatMap((car) => {
    const row = rows.get(car.merge_request_id)
    if (!row) return []
    const { test, isFresh } = tests.get(car.id) ?? {}
    const pipeline = pipelines.get(car.pipeline_id ?? test?.pipeline_id ?? 0)
    const user = users.get(car.user_id ?? 0)
    const projectUrl = `${externalUrl}/${caller.project.full_path}`
    return [
      {
        id: car.id,
        merge_request: {
          ...plannedFields<string>(row),
          web_url: `${projectUrl}/-/merge_requests/${row.iid}`,
        },
        user: user ? presentUser(user, externalUrl) : null,
        pipeline: pipeline ? presentPipelineBrief(pipeline, projectUrl) : null,
        created_at: isoTime(car.created_at),
        updated_at: isoTime(car.updated_at),
        target_branch: row.target_branch,
        status: statusOf(car, row, test && (isFresh ? 'fresh' : 'stale')),
        merged_at: isoTimeOrNull(car.merged_at),
        duration: car.merged_at === null ? null : Math.round((car.merged_at - car.created_at) / 1000),
      },
    ]
  })
}

function statusOf(
  { state }: CarRow,
  row: MergeRequestRow,
  tested: 'fresh' | 'stale' | undefined,
): MergeTrainCar['status'] {
  if (state === 'merged' || state === 'skip_merged') return state
  return row.state === 'locked' ? 'merging' : (tested ?? 'idle')
}

async function mergeRequestsById(
  database: Database,
  cars: readonly CarRow[],
): Promise<Map<number, MergeRequestRow>> {
  const ids = cars.map(({ merge_request_id }) => merge_request_id)
  if (ids.length === 0) return new Map()
  const rows = await database.selectFrom('merge_request').selectAll().where('id', 'in', ids).execute()
  return new Map(rows.map((row) => [row.id, row]))
}

interface Tested {
  test: TestRow
  /** Whether it tests the car on top of all that is before it now. */
  isFresh: boolean
}

/** The test of each car: one on top of the cars before it, also together with cars behind it, or else its last own one. */
async function testsOf(
  deps: PresentCarDeps,
  { project }: CallerInProject,
  cars: readonly CarRow[],
): Promise<Map<number, Tested>> {
  const tested = await lastTests(deps.database, cars)
  for (const trainId of new Set(cars.map(({ train_id }) => train_id))) {
    for (const [carId, test] of await freshTests(deps, project.id, trainId)) {
      tested.set(carId, { test, isFresh: true })
    }
  }
  return tested
}

async function lastTests(database: Database, cars: readonly CarRow[]): Promise<Map<number, Tested>> {
  const ids = cars.map(({ id }) => id)
  if (ids.length === 0) return new Map()
  const tests = await database
    .selectFrom('merge_train_test')
    .selectAll()
    .where('car_id', 'in', ids)
    .orderBy('id')
    .execute()
  return new Map(tests.map((test) => [test.car_id, { test, isFresh: false }]))
}

async function freshTests(
  { database, repositories }: PresentCarDeps,
  projectId: number,
  trainId: number,
): Promise<Map<number, TestRow>> {
  const cars = await activeCars(database, trainId)
  const tests = (await openTests(database, trainId)).filter(({ state }) => state === 'open')
  const train = await database
    .selectFrom('merge_train')
    .select('target_branch')
    .where('id', '=', trainId)
    .executeTakeFirst()
  if (cars.length === 0 || !train) return new Map()
  const target = await repositories.resolveRef(projectId, `refs/heads/${train.target_branch}`)
  const chain = chainOf({
    target: target?.sha ?? '',
    cars: cars.map(carOf),
    tests: tests.map(({ id, commit_sha }) => ({ id, commit: commit_sha, status: 'running' as const })),
  })
  const placed = cars.flatMap((car, index): [number, TestRow][] => {
    const found = chain.tests.find(({ position }) => position > index)
    const test = tests.find(({ id }) => id === found?.id)
    return test ? [[car.id, test]] : []
  })
  return new Map(placed)
}

/** By ID; none if the caller may not see pipelines of the project. */
async function pipelinesOf(
  database: Database,
  caller: CallerInProject,
  tested: readonly { pipeline_id: number | null }[],
): Promise<Map<number, PipelineRow>> {
  const ids = tested.flatMap(({ pipeline_id }) => pipeline_id ?? [])
  if (ids.length === 0 || !may('read_pipelines', caller)) return new Map()
  const rows = await database.selectFrom('pipeline').selectAll().where('id', 'in', ids).execute()
  return new Map(rows.map((row) => [row.id, row]))
}
