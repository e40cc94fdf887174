import { Readable, type Writable } from 'node:stream'

import { messageOf } from '../../../lib/errors.js'
import type { Logger } from '../../../lib/logger.js'
import { ServiceLines, writeServiceLines } from '../service-lines.js'
import { isAway } from './cluster-failure.js'
import { whilePatient } from './cluster-patience.js'
import type { Cluster } from './cluster/cluster.js'
import type { PodRecord } from './pod-record.js'

export interface ServiceLogsParts {
  cluster: Pick<Cluster, 'logs'>
  record: Pick<PodRecord, 'namespace' | 'name' | 'services'>
  output: Writable
  /** Earlier output is omitted. */
  since: Date | undefined
  /** Milliseconds that the API server may be away. */
  patience: number
  logger: Logger
}

/**
 * Writes the output of the services of a pod into the log of its job line by line (`CI_DEBUG_SERVICES`; runner protocol,
 * 7.8). Returns a function that ends this, after which nothing is written.
 */
export function showServiceLogs(parts: ServiceLogsParts): () => void {
  const stopped = new AbortController()
  for (const service of parts.record.services) {
    show(parts, service, stopped.signal).catch((error: unknown) => {
      if (stopped.signal.aborted) return
      const fields = { pod: parts.record.name, container: service.container, error: messageOf(error) }
      parts.logger.warn(fields, 'the output of a service is lost')
    })
  }
  return () => stopped.abort()
}

/** When the connection was cut, continues with the output of the time after it. */
async function show(
  { cluster, record: { namespace, name }, output, since, patience: milliseconds }: ServiceLogsParts,
  { container, aliases }: PodRecord['services'][number],
  signal: AbortSignal,
): Promise<void> {
  const place = { namespace, pod: name, container }
  for (let from = since; ; from = new Date()) {
    const chunks = await whilePatient(() => cluster.logs(place, signal, from), {
      doing: 'reading the output of a service',
      milliseconds,
      signal,
    })
    try {
      await copyLines(chunks, aliases, output, signal)
      return
    } catch (error) {
      signal.throwIfAborted()
      if (!isAway(error)) throw error
    }
  }
}

async function copyLines(
  chunks: AsyncIterable<Buffer>,
  aliases: string[],
  output: Writable,
  signal: AbortSignal,
): Promise<void> {
  const source = Readable.from(chunks, { objectMode: false })
  const lines = new ServiceLines(aliases)
  source.once('error', (error) => lines.destroy(error))
  await writeServiceLines(source.pipe(lines), output, signal)
}
