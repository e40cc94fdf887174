import type { Services } from './services/services.js'

/**
 * Ends the services in reverse order of their dependencies, writes the counts that are kept in memory, and closes the
 * database. Requests and periodic tasks must have ended.
 */
export async function closeServices(services: Services): Promise<void> {
  try {
    await services.live.stop()
    await services.channel?.stop()
    await services.engine.queue.stop()
    await services.watches.stop()
    await services.reportingJobs.stop()
    await services.spanExporter?.stop()
    await services.traceIndexes.stop()
    await services.traces.close()
    await services.statistics.stop()
    await services.repositories.close()
    await services.snippetRepositories.close()
    await services.wikiRepositories.close()
    await services.groupWikiRepositories.close()
    await services.egress.close()
    await services.systemEgress.close()
    await services.tokenUses.write()
    await services.waits.write()
    await services.removals.flush()
    await services.coordinatorRecord.delete()
    await services.signIns.write()
    await services.blobs.close()
  } finally {
    await services.database.destroy()
    // An observer of the process holds the metrics of garbage collection for ever, and they hold all that is measured.
    services.metrics.clear()
  }
}
