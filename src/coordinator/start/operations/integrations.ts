import { summarizePush } from '../../hosting/repositories/push/summarize-push.js'
import type { Operation } from '../../http/operation.js'
import { eventOperations } from '../../integrations/activity-events/operations.js'
import { hookOperations } from '../../integrations/webhooks/operations.js'
import type { Services } from '../services.js'
import type { OperationListDeps } from './operation-list-deps.js'

/** Activity events and webhooks. */
export function listIntegrationsOperations(
  services: Services,
  { externalUrl, findUser }: OperationListDeps,
): Operation[] {
  const { database, secrets, repositories, egress, deliveries } = services
  return [
    ...eventOperations({
      database,
      externalUrl,
      findUser,
      summarizePush: (pushed, signal) => summarizePush(repositories, pushed, signal),
    }),
    ...hookOperations({ database, secrets, egress, deliveries, samples: { database, repositories } }),
  ]
}
