import { Duplex, Readable } from 'node:stream'

import { linkSignals } from '../../../lib/link-signals.js'
import type { Logger } from '../../../lib/logger.js'
import type { ConnectHelper } from '../environment-helper.js'
import type { Shell } from '../executor.js'
import type { HelperPlaces } from '../helper-places.js'
import { whilePatient } from './cluster-patience.js'
import type { Cluster } from './cluster/cluster.js'
import type { FollowedPod } from './pod/followed-pod.js'
import { HELPER } from './pod/pod-plan.js'

/** Starts a helper process in an image of this program. */
export function helperCommand({ builds, control, git, own }: HelperPlaces): string[] {
  const directories = ['--builds', builds, '--control', control, '--git', git, '--own', own]
  return ['switchyard', 'runner-helper', ...directories]
}

export interface HelperConnectionParts {
  cluster: Pick<Cluster, 'exec'>
  pod: FollowedPod
  /** Starts a helper process. */
  command: string[]
  /** Milliseconds that the API server may be away. */
  patience: number
  logger: Logger
}

/**
 * Starts helper processes in the container `helper` by exec. A connection ends when the pod is lost, because the API server
 * may not notice the end of a node.
 */
export function helperConnection({
  cluster,
  pod,
  command,
  patience,
  logger,
}: HelperConnectionParts): ConnectHelper {
  return async (signal) => {
    const closed = new AbortController()
    const connecting = linkSignals(signal, pod.lost)
    connecting.signal.addEventListener('abort', () => closed.abort(connecting.signal.reason))
    const { namespace = '', name = '' } = pod.state.metadata ?? {}
    const place = { namespace, pod: name, container: HELPER }
    try {
      const shell = await whilePatient(
        () => cluster.exec(place, { command, size: undefined }, closed.signal),
        {
          doing: 'starting the helper process of the job',
          milliseconds: patience,
          signal: connecting.signal,
        },
      )
      return asDuplex(shell, { pod, closed, logger })
    } catch (error) {
      closed.abort()
      throw error
    } finally {
      connecting.release()
    }
  }
}

/** The standard input and output of a helper process. What it writes to its standard error is for the log of the runner. */
function asDuplex(
  shell: Shell,
  { pod, closed, logger }: Pick<HelperConnectionParts, 'pod' | 'logger'> & { closed: AbortController },
): Duplex {
  const readable = Readable.from(standardOutput(shell, logger), { objectMode: false })
  const stream = Duplex.from({ readable, writable: shell.input })
  const onLost = () => stream.destroy(new Error(`The pod ${pod.title} is lost`))
  pod.lost.addEventListener('abort', onLost, { once: true })
  stream.once('close', () => {
    pod.lost.removeEventListener('abort', onLost)
    closed.abort()
  })
  if (pod.lost.aborted) onLost()
  return stream
}

async function* standardOutput({ output }: Shell, logger: Logger): AsyncGenerator<Buffer> {
  for await (const { channel, bytes } of output) {
    if (channel === 'stdout') yield bytes
    else logger.warn({ stderr: bytes.toString('utf8') }, 'The helper process of a job reports a problem')
  }
}
