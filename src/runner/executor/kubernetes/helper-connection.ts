import { Duplex, Readable } from 'node:stream'

import { linkSignals } from '../../../lib/link-signals.js'
import type { Logger } from '../../../lib/logger.js'
import { pause } from '../../../lib/pause.js'
import type { ConnectHelper } from '../environment-helper.js'
import type { Shell } from '../executor.js'
import type { HelperPlaces } from '../helper-places.js'
import { clusterFailure } from './cluster-failure.js'
import { type Patience, whilePatient } from './cluster-patience.js'
import { type Cluster, ClusterError } from './cluster/cluster.js'
import type { FollowedPod } from './pod/followed-pod.js'
import { haveAllBegun } from './pod/pod-failures.js'
import { HELPER } from './pod/pod-plan.js'

/** Milliseconds between two attempts to start a command in a container that does not run yet. */
const EARLY_RETRY = 250
/** After so many attempts, as while an image is being pulled, only changes of the pod lead to others. */
const MAX_EARLY_ATTEMPTS = 16
/** What API servers respond while the container does not run, beside 500. */
const NOT_STARTED = [400, 404]
const DOING = 'starting the helper process of the job'

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
 * Starts helper processes in the container `helper` by exec, as soon as it runs. A connection ends when the pod is lost,
 * because the API server may not notice the end of a node.
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
      const shell = await onceStarted(
        pod,
        { doing: DOING, milliseconds: patience, signal: connecting.signal },
        () => cluster.exec(place, { command, size: undefined }, closed.signal),
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

/**
 * Starts a command as soon as its container runs: the cluster says so up to two seconds later, because a node looks at its
 * containers once a second. The patience begins when the cluster has said it. Throws as `whilePatient`.
 */
async function onceStarted<T>(pod: FollowedPod, patience: Patience, start: () => Promise<T>): Promise<T> {
  const { doing, signal } = patience
  for (let attempt = 1; ; attempt++) {
    while (pod.state.spec?.nodeName === undefined) await pod.nextChange(signal)
    if (haveAllBegun(pod.state)) return await whilePatient(start, patience)
    try {
      return await start()
    } catch (error) {
      signal.throwIfAborted()
      if (!isEarly(error)) throw clusterFailure(error, doing)
    }
    await (attempt < MAX_EARLY_ATTEMPTS ? untilNextAttempt(pod, signal) : pod.nextChange(signal))
  }
}

/** Whether the container may not run yet. While the API server is away, what follows the pod waits for it. */
function isEarly(error: unknown): boolean {
  return error instanceof ClusterError && (error.isAway || NOT_STARTED.includes(error.status ?? 0))
}

async function untilNextAttempt(pod: FollowedPod, signal: AbortSignal): Promise<void> {
  const over = new AbortController()
  const ends = linkSignals(signal, over.signal)
  try {
    await Promise.race([pod.nextChange(ends.signal), pause(EARLY_RETRY, ends.signal)])
    signal.throwIfAborted()
  } finally {
    over.abort()
    ends.release()
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
