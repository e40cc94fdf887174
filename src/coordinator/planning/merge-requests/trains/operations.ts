import { Type } from 'typebox'

import type { Database } from '../../../database/connect.js'
import { changerOf } from '../../../hosting/repositories/change/change-refs.js'
import { apiError, notFound } from '../../../http/errors.js'
import { type Operation, operation, respond } from '../../../http/operation.js'
import { page } from '../../../http/page.js'
import { requireMergeRequest } from '../../access/merge-request-access.js'
import { activeCarOf, activeCars, findTrain } from '../../stores/merge-train-store.js'
import { isActive } from '../merge-refusal.js'
import { mergeAfterPipeline } from '../merge/auto-merge.js'
import { mergeFacts } from '../merge/merge-now.js'
import { type MergeDeps, sourceHead } from '../merge/prepare-merge.js'
import { ByIid } from '../schema.js'
import { findCar, listCars } from './list-cars.js'
import { presentCars } from './present.js'
import { AddCar, ListCars, ListCarsOfBranch, MergeTrainCar } from './schema.js'

export interface MergeTrainDeps extends MergeDeps {
  database: Database
}

/** Merge trains (API, F4). A merge request leaves its train by the operation that cancels its automatic merge. */
export function mergeTrainOperations(deps: MergeTrainDeps): Operation[] {
  return [...listOperations(deps), ...carOperations(deps)]
}

function listOperations(deps: MergeTrainDeps): Operation[] {
  const { database, externalUrl, pushes } = deps
  const presenting = { database, externalUrl, repositories: pushes.repositories }
  return [
    operation('GET /projects/:id/merge_trains', {
      summary: 'List the merge requests in the merge trains of a project',
      access: 'read_merge_requests',
      params: ListCars,
      paginated: true,
      responses: { 200: Type.Array(MergeTrainCar) },
      run: async (call) => {
        const { rows, total } = await listCars(
          database,
          { projectId: call.project.id },
          call.params,
          call.paging,
        )
        return page(await presentCars(presenting, call, rows), total)
      },
    }),
    operation('GET /projects/:id/merge_trains/:target_branch', {
      summary: 'List the merge requests in a merge train',
      access: 'read_merge_requests',
      params: ListCarsOfBranch,
      paginated: true,
      responses: { 200: Type.Array(MergeTrainCar) },
      run: async (call) => {
        const { target_branch: branch, ...options } = call.params
        const of = { projectId: call.project.id, branch }
        const { rows, total } = await listCars(database, of, options, call.paging)
        return page(await presentCars(presenting, call, rows), total)
      },
    }),
  ]
}

function carOperations(deps: MergeTrainDeps): Operation[] {
  const { database, externalUrl, pushes } = deps
  const presenting = { database, externalUrl, repositories: pushes.repositories }
  return [
    operation('GET /projects/:id/merge_trains/merge_requests/:merge_request_iid', {
      summary: 'Get the status of a merge request in a merge train',
      access: 'read_merge_requests',
      params: ByIid,
      responses: { 200: MergeTrainCar },
      run: async (call) => {
        const row = await requireMergeRequest(database, call, call.params.merge_request_iid)
        const car = await findCar(database, row.id)
        const [record] = car ? await presentCars(presenting, call, [car]) : []
        if (!record) throw notFound()
        return record
      },
    }),
    operation('POST /projects/:id/merge_trains/merge_requests/:merge_request_iid', {
      summary: 'Add a merge request to a merge train',
      // Who may merge depends on the target branch.
      access: 'read_merge_requests',
      params: AddCar,
      responses: { 201: Type.Array(MergeTrainCar), 202: Type.Array(MergeTrainCar) },
      run: async (call) => {
        const { merge_request_iid, when_pipeline_succeeds, auto_merge, ...options } = call.params
        if (!call.project.merge_trains_enabled) throw apiError('merge_trains_disabled')
        const row = await requireMergeRequest(database, call, merge_request_iid)
        const merger = changerOf(call)
        if (!(auto_merge ?? when_pipeline_succeeds ?? false)) {
          const { pipeline } = await mergeFacts(database, call.project, row, {
            source: await sourceHead(pushes, row),
          })
          if (isActive(pipeline)) throw apiError('merge_not_allowed')
        }
        await mergeAfterPipeline(deps, merger, row, options)
        const isIn = (await activeCarOf(database, row.id)) !== undefined
        const train = await findTrain(database, row.project_id, row.target_branch)
        const cars = train ? await activeCars(database, train.id) : []
        return respond(isIn ? 201 : 202, await presentCars(presenting, call, cars))
      },
    }),
  ]
}
