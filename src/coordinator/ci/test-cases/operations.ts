import { Type } from 'typebox'

import type { Database } from '../../database/connect.js'
import { type Operation, operation } from '../../http/operation.js'
import { page } from '../../http/page.js'
import { describeCases, historyOfCase } from './history.js'
import { CaseDigest, CaseHistory, FailedCase, ListFailedCases } from './schema.js'
import { listFailedCases } from './store.js'

/** Tests that failed lately, and their history (API, N12). */
export function testCaseOperations({ database }: { database: Database }): Operation[] {
  return [
    operation('GET /projects/:id/test_cases', {
      summary: 'List the tests that failed in the last 90 days',
      access: 'read_pipelines',
      scopes: ['mcp'],
      params: ListFailedCases,
      responses: { 200: Type.Array(FailedCase) },
      paginated: true,
      keyset: { of: 'TestCase', orders: ['failed_at'] },
      cacheable: true,
      run: async ({ project, params, paging }) => {
        const { rows, total } = await listFailedCases(database, project.id, params, paging)
        return page(await describeCases(database, rows, params.branch), total)
      },
    }),
    operation('GET /projects/:id/test_cases/:digest', {
      summary: 'Get the history of a test',
      access: 'read_pipelines',
      scopes: ['mcp'],
      params: CaseDigest,
      responses: { 200: CaseHistory },
      cacheable: true,
      run: ({ project, params }) => historyOfCase(database, project, params),
    }),
  ]
}
