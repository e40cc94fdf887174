import type { Writable } from 'node:stream'

import type { Container } from 'dockerode'

import { messageOf } from '../../../../lib/errors.js'
import type { Logger } from '../../../../lib/logger.js'
import { ServiceLines, writeServiceLines } from '../../service-lines.js'
import { Demultiplexer, openLog } from '../containers/container-stream.js'

/** Writes the output of a service to the log of its job. */
export interface ShownLogs {
  /** Must be called before the log of the job ends. Nothing is written afterwards. */
  stop(): void
}

/**
 * Writes the output of a service to the log of the job line by line, from its beginning or from a given time
 * (`CI_DEBUG_SERVICES`; runner protocol, 7.8). Continues until the output ends or `stop` is called.
 */
export function showServiceLogs(
  container: Container,
  aliases: string[],
  output: Writable,
  logger: Logger,
  since?: Date,
): ShownLogs {
  const stopped = new AbortController()
  const showing = show(container, aliases, output, stopped.signal, since)
  showing.catch((error: unknown) => {
    if (stopped.signal.aborted) return
    logger.warn({ container: container.id, error: messageOf(error) }, 'the output of a service is lost')
  })
  return { stop: () => stopped.abort() }
}

async function show(
  container: Container,
  aliases: string[],
  output: Writable,
  signal: AbortSignal,
  since: Date | undefined,
): Promise<void> {
  const seconds = since === undefined ? 0 : since.getTime() / 1000
  const source = await openLog(container, container.id, true, { since: seconds })
  // This is the response of the engine itself, which keeps a connection open until it is destroyed.
  const hangUp = () => source.destroy()
  signal.addEventListener('abort', hangUp, { once: true })
  try {
    signal.throwIfAborted()
    const lines = source.pipe(new Demultiplexer()).pipe(new ServiceLines(aliases))
    source.once('error', (error) => lines.destroy(error))
    source.once('close', () => lines.end())
    await writeServiceLines(lines, output, signal)
  } finally {
    signal.removeEventListener('abort', hangUp)
    hangUp()
  }
}
