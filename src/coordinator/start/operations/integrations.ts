import { summarizePush } from '../../hosting/repositories/push/summarize-push.js'
import { samplePage } from '../../hosting/wikis/changed-pages.js'
import type { Operation } from '../../http/operation.js'
import { eventOperations } from '../../integrations/activity-events/operations.js'
import { integrationOperations } from '../../integrations/services/operations.js'
import { hookOperations } from '../../integrations/webhooks/operations.js'
import type { OperationListDeps } from '../operation-list-deps.js'
import type { Services } from '../services/services.js'

/** Activity events, webhooks and integrations with other services. */
export function listIntegrationsOperations(
  services: Services,
  { externalUrl, findUser }: OperationListDeps,
): Operation[] {
  const { database, secrets, repositories, wikiRepositories, egress, systemEgress, deliveries } = services
  const wikiPage = (projectId: number, userId: number) => samplePage(wikiRepositories, projectId, userId)
  const tries = { deliveries, samples: { database, repositories, wikiPage } }
  return [
    ...eventOperations({
      database,
      externalUrl,
      findUser,
      summarizePush: (pushed, signal) => summarizePush(repositories, pushed, signal),
    }),
    ...hookOperations({ database, secrets, egress, systemEgress, ...tries }),
    ...integrationOperations({ database, secrets, egress, tries }),
  ]
}
