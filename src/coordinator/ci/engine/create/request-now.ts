import type { Transaction } from '../../../database/transaction.js'
import type { PipelineRequest } from './pipeline-request.js'

/** The request with its user, its project and its merge request as they are at this moment; those that are gone stay. */
export async function requestNow(tx: Transaction, request: PipelineRequest): Promise<PipelineRequest> {
  const user = await tx.selectFrom('user').selectAll().where('id', '=', request.user.id).executeTakeFirst()
  const project = await tx
    .selectFrom('project')
    .selectAll()
    .where('id', '=', request.project.id)
    .executeTakeFirst()
  const mergeRequest =
    request.mergeRequest &&
    (await tx
      .selectFrom('merge_request')
      .selectAll()
      .where('id', '=', request.mergeRequest.id)
      .executeTakeFirst())
  return {
    ...request,
    user: user ?? request.user,
    project: project ?? request.project,
    mergeRequest: mergeRequest ?? request.mergeRequest,
  }
}
