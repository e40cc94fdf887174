import { Type } from 'typebox'

import { wordsIn } from '../../../../lib/words-in.js'
import { notFound } from '../../../http/errors.js'
import { type Operation, operation } from '../../../http/operation.js'
import { page } from '../../../http/page.js'
import { viewerOf } from '../../../http/viewer.js'
import type { PipelineOperationsDeps } from '../pipeline-operations-deps.js'
import { describeEverywhere, describeEverywhereWithDetails, summarizePipelines } from './describe.js'
import { listEverywhere } from './list-everywhere.js'
import {
  DetailedPipelineEverywhere,
  EverywhereParameters,
  PipelineEverywhere,
  PipelinesSummary,
  SubgroupStatuses,
  SummaryParameters,
} from './schema.js'
import { findGroupId } from './store.js'
import { findSubgroupStatuses } from './subgroup-statuses.js'

/** Pipelines of all projects that the caller may see. Beyond the reference. */
export function pipelineEverywhereOperations({ engine, externalUrl }: PipelineOperationsDeps): Operation[] {
  const { database, repositories } = engine
  const describing = { database, repositories, externalUrl }
  return [
    operation('GET /pipelines', {
      summary: 'List pipelines of all projects, newest first',
      access: 'user',
      params: EverywhereParameters,
      responses: { 200: Type.Array(Type.Union([DetailedPipelineEverywhere, PipelineEverywhere])) },
      paginated: true,
      cacheable: true,
      keyset: { of: 'Ci::Pipeline', orders: ['id desc'] },
      run: async ({ user, params, paging }) => {
        const { group, search = '', with_details, ...filters } = params
        const groupId = group === undefined ? undefined : await findGroupId(database, user, group)
        if (group !== undefined && groupId === undefined) throw notFound('Group')
        const rows = await listEverywhere(
          database,
          user,
          { ...filters, words: wordsIn(search), groupId },
          paging,
        )
        return page(
          with_details
            ? await describeEverywhereWithDetails(describing, rows)
            : await describeEverywhere(describing, rows),
        )
      },
    }),
    operation('GET /groups/:id/pipelines_summary', {
      summary: 'Count the projects in each subgroup by the status of their default branch',
      access: 'read_group',
      responses: { 200: SubgroupStatuses },
      cacheable: true,
      run: ({ group, user }) => findSubgroupStatuses(database, user, group.id),
    }),
    operation('GET /projects/pipelines_summary', {
      summary: 'Get the last pipelines of the default branches of several projects',
      access: 'anyone',
      params: SummaryParameters,
      responses: { 200: Type.Array(PipelinesSummary) },
      cacheable: true,
      run: ({ caller, params }) => summarizePipelines(describing, viewerOf(caller), params.ids),
    }),
  ]
}
