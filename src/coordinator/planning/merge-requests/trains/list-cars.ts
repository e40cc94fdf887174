import type { Database } from '../../../database/connect.js'
import type { Paging } from '../../../http/page.js'
import { listRows, type Rows } from '../../../http/paging/list-rows.js'
import type { CarRow } from '../../stores/merge-train-store.js'
import type { ListCars } from './schema.js'

const ACTIVE = ['active'] as const
const COMPLETE = ['merged', 'skip_merged'] as const

/** Merge requests that are in the trains of a project, or were merged by them. */
export function listCars(
  database: Database,
  { projectId, branch }: { projectId: number; branch?: string | undefined },
  { scope, sort = 'desc' }: ListCars,
  paging: Paging,
): Promise<Rows<CarRow>> {
  const states = { active: ACTIVE, complete: COMPLETE, all: [...ACTIVE, ...COMPLETE] }[scope ?? 'all']
  const matching = database
    .selectFrom('merge_train_car')
    .innerJoin('merge_train', 'merge_train.id', 'merge_train_car.train_id')
    .where('merge_train.project_id', '=', projectId)
    .where('merge_train_car.state', 'in', states)
    .$if(branch !== undefined, (query) => query.where('merge_train.target_branch', '=', branch ?? ''))
  return listRows(database, matching, paging, { table: 'merge_train_car', column: 'id', direction: sort })
}

/** The latest entry of a merge request that is in a train, or was merged by it. */
export function findCar(database: Database, mergeRequestId: number): Promise<CarRow | undefined> {
  return database
    .selectFrom('merge_train_car')
    .selectAll()
    .where('merge_request_id', '=', mergeRequestId)
    .where('state', 'in', [...ACTIVE, ...COMPLETE])
    .orderBy('id', 'desc')
    .executeTakeFirst()
}
