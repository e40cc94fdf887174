import { connect, type Socket } from 'node:net'

import type Docker from 'dockerode'
import type { ContainerCreateOptions } from 'dockerode'

import type { Logger } from '../../../../lib/logger.js'
import { pause } from '../../../../lib/pause.js'
import { waitForExit } from '../containers/container-stream.js'
import { createContainer } from '../containers/create-container.js'
import { removeContainer } from '../containers/remove-container-and-volumes.js'

const FIRST_PAUSE = 50
const MAX_PAUSE = 250
/** Milliseconds. A reachable machine responds faster, at least with a refusal. */
const CONNECT_TIMEOUT = 2000

/**
 * Dials until one of the ports is open. `unreachable`: the address does not even refuse connections, so the state
 * of the ports cannot be determined from here. Throws the reason of the signal when it aborts.
 */
export async function dialUntilOpen(
  host: string,
  ports: number[],
  signal: AbortSignal,
): Promise<'open' | 'unreachable'> {
  for (let wait = FIRST_PAUSE; ; wait = Math.min(wait * 2, MAX_PAUSE)) {
    signal.throwIfAborted()
    const results = await dialAll(host, ports, signal)
    if (results.includes('open')) return 'open'
    if (results.every((result) => result === 'silent')) return 'unreachable'
    await pause(wait, signal)
  }
}

type DialResult = 'open' | 'refused' | 'silent'

async function dialAll(host: string, ports: number[], signal: AbortSignal): Promise<DialResult[]> {
  const sockets = ports.map((port) => connect({ host, port, timeout: CONNECT_TIMEOUT }))
  const hangUp = () => sockets.forEach((socket) => socket.destroy())
  signal.addEventListener('abort', hangUp, { once: true })
  try {
    return await Promise.all(sockets.map(dial))
  } finally {
    signal.removeEventListener('abort', hangUp)
  }
}

function dial(socket: Socket): Promise<DialResult> {
  return new Promise((resolve) => {
    let result: DialResult = 'silent'
    socket.once('close', () => resolve(result))
    socket.once('connect', () => {
      result = 'open'
      socket.destroy()
    })
    socket.once('timeout', () => socket.destroy())
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED' || error.code === 'ECONNRESET') result = 'refused'
    })
  })
}

/**
 * Exits with 0 as soon as a process listens on one of the ports, which are given in hexadecimal. Any shell can run
 * it: the kernel lists the sockets of a network, and state 0A means "listening". Sockets at the loopback address do
 * not count, because other containers cannot reach them.
 */
const SCRIPT = `while :; do
  for file in /proc/net/tcp /proc/net/tcp6; do
    [ -r "$file" ] || continue
    while read -r _ address _ state _; do
      [ "$state" = 0A ] || continue
      case "$address" in 0100007F:*|00000000000000000000000001000000:*) continue;; esac
      for port in "$@"; do
        [ "\${address##*:}" = "$port" ] && exit 0
      done
    done <"$file"
  done
  sleep 1
done`

interface Probe {
  name: string
  labels: Record<string, string>
  /** An image that contains a shell, such as that of the job. */
  imageId: string
  serviceId: string
  ports: number[]
}

/**
 * Checks the ports from inside the network of the service, in a short-lived container. This is for engines whose
 * containers are unreachable from this machine. Returns whether a port is open. Throws the reason of the signal
 * when it aborts, and leaves nothing behind.
 */
export async function probeInside(
  docker: Docker,
  probe: Probe,
  logger: Logger,
  signal: AbortSignal,
): Promise<boolean> {
  const container = await createContainer(docker, probeOptions(probe))
  const end = () => void removeContainer(container, logger)
  signal.addEventListener('abort', end, { once: true })
  try {
    signal.throwIfAborted()
    await container.start()
    const exitCode = await waitForExit(docker, container.id)
    signal.throwIfAborted()
    return exitCode === 0
  } finally {
    signal.removeEventListener('abort', end)
    await removeContainer(container, logger)
  }
}

function probeOptions({ name, labels, imageId, serviceId, ports }: Probe): ContainerCreateOptions {
  const hexadecimal = ports.map((port) => port.toString(16).toUpperCase().padStart(4, '0'))
  return {
    name,
    Image: imageId,
    Labels: labels,
    Entrypoint: ['sh', '-c', SCRIPT, 'sh', ...hexadecimal],
    Cmd: [],
    HostConfig: {
      NetworkMode: `container:${serviceId}`,
      SecurityOpt: ['no-new-privileges'],
      RestartPolicy: { Name: 'no' },
      LogConfig: { Type: 'none', Config: {} },
    },
  }
}
