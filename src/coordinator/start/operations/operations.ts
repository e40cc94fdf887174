import { backupReportOperations } from '../../backup/reports/operations.js'
import type { Operation } from '../../http/operation.js'
import { appearanceOperations } from '../../instance/appearance/operations.js'
import { broadcastMessageOperations } from '../../instance/broadcast-messages/operations.js'
import { metadataOperations } from '../../instance/metadata/operations.js'
import { overviewOperations } from '../../instance/overview/operations.js'
import { planLimitOperations } from '../../instance/plan-limits/operations.js'
import { setUpOperations } from '../../instance/set-up/operations.js'
import { settingOperations } from '../../instance/settings/operations.js'
import { statisticsOperations } from '../../instance/statistics/operations.js'
import { mcpOperations } from '../../mcp/operations.js'
import type { OperationListDeps } from '../operation-list-deps.js'
import type { Services } from '../services/services.js'
import { overviewDeps, settingDeps, setUpDeps } from '../setting-deps.js'
import { listAccountsOperations } from './accounts.js'
import { listCiOperations } from './ci.js'
import { listHostingOperations } from './hosting.js'
import { listIntegrationsOperations } from './integrations.js'
import { listLiveOperations } from './live.js'
import { listPlanningOperations } from './planning.js'
import { listSessionsOperations } from './sessions.js'

/** Every operation of the API. */
export function listOperations(services: Services, deps: OperationListDeps): Operation[] {
  return [
    ...metadataOperations(),
    ...settingOperations(settingDeps(services)),
    ...appearanceOperations(services),
    ...planLimitOperations(services),
    ...broadcastMessageOperations(services),
    ...overviewOperations(overviewDeps(services, deps)),
    ...setUpOperations(setUpDeps(services, deps)),
    ...backupReportOperations({ dataDir: services.settings.sharedDir }),
    ...statisticsOperations(services),
    ...listAccountsOperations(services, deps),
    ...listHostingOperations(services, deps),
    ...listCiOperations(services, deps),
    ...listIntegrationsOperations(services, deps),
    ...listPlanningOperations(services, deps),
    ...listLiveOperations(services, deps),
    ...listSessionsOperations(services, deps),
    ...mcpOperations(deps),
  ]
}
