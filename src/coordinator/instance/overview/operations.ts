import { type Operation, operation } from '../../http/operation.js'
import { overview, type OverviewDeps } from './overview.js'
import { AdminOverview } from './schema.js'

/** State of the whole installation (API, N15). */
export function overviewOperations(deps: OverviewDeps): Operation[] {
  return [
    operation('GET /admin/overview', {
      summary: 'Get the state of the instance',
      access: 'administrator',
      responses: { 200: AdminOverview },
      run: () => overview(deps, Date.now()),
    }),
  ]
}
