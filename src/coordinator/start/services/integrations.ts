import { VERSION } from '../../../lib/version.js'
import { setCommitStatus } from '../../ci/commit-statuses/set-commit-status.js'
import { diffText } from '../../hosting/repositories/browse/diff-text.js'
import { pushedCommits } from '../../hosting/repositories/push/pushed-commits.js'
import { wikiContent } from '../../hosting/wikis/changed-pages.js'
import { BuildWatcher } from '../../integrations/services/builds/watch-builds.js'
import { integrationMessages } from '../../integrations/services/integration-messages.js'
import type { AttemptDeps } from '../../integrations/webhooks/deliveries/attempt-delivery.js'
import { countDeliveries } from '../../integrations/webhooks/deliveries/count-deliveries.js'
import { DeliveryWorker } from '../../integrations/webhooks/deliveries/delivery-worker.js'
import type { PayloadDeps } from '../../integrations/webhooks/payloads/payload-deps.js'
import { renderEvent } from '../../integrations/webhooks/payloads/render-event.js'
import { mergeRequestState } from '../../planning/merge-requests/hook-state.js'
import type { BaseServices } from './base.js'
import { logFailureForOthers, logFailureForUser } from './log-excerpts.js'
import { createMailWorkers, type MailWorkers } from './mail.js'

/** Services that send data to other systems and to people. */
export interface IntegrationServices {
  /** Sends webhook events. */
  deliveries: AttemptDeps
  deliveryWorker: DeliveryWorker
  /** Asks CI servers for the state of builds. */
  builds: BuildWatcher
  /** Undefined if no mails are sent. */
  mail: MailWorkers | undefined
}

export function createIntegrationServices(sources: BaseServices): IntegrationServices {
  const { database, secrets, egress, logger, engine } = sources
  const builds = new BuildWatcher({
    database,
    secrets,
    egress,
    logger,
    report: (build) => setCommitStatus(engine, build),
  })
  const deliveries = createDeliveries(sources, builds)
  return {
    deliveries,
    deliveryWorker: new DeliveryWorker({ ...deliveries, logger }),
    builds,
    mail: createMailWorkers({ ...sources, logFailure: logFailureForUser(sources) }),
  }
}

function createDeliveries(sources: BaseServices, builds: BuildWatcher): AttemptDeps {
  const { database, secrets, egress, systemEgress, externalUrl, metrics, repositories } = sources
  const payloads = payloadDeps(sources)
  const messages = {
    database,
    secrets,
    diffOf: (projectId: number, range: Parameters<typeof diffText>[2]) =>
      diffText(repositories, projectId, range),
    logFailure: logFailureForOthers(sources),
    onSent: builds.watch.bind(builds),
  }
  return {
    database,
    secrets,
    egress,
    systemEgress,
    sender: { externalUrl, version: VERSION },
    render: (event) => renderEvent(payloads, event),
    integrationMessages: (id, event) => integrationMessages(messages, id, event),
    onAttempt: countDeliveries(metrics),
  }
}

function payloadDeps(sources: BaseServices): PayloadDeps {
  const { database, secrets, repositories, wikiRepositories, externalUrl } = sources
  return {
    database,
    secrets,
    repositories,
    externalUrl,
    wikiContent: (projectId, id) => wikiContent(wikiRepositories, projectId, id),
    mergeRequestState: (row) => mergeRequestState(database, row),
    pushedCommits: (projectId, range) =>
      repositories.withSlot(projectId, 'inner', () => pushedCommits(repositories.path(projectId), range)),
  }
}
