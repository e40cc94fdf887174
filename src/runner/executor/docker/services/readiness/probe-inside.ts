import type Docker from 'dockerode'
import type { ContainerCreateOptions } from 'dockerode'

import type { Logger } from '../../../../../lib/logger.js'
import { waitForExit } from '../../containers/container-stream.js'
import { createContainer } from '../../containers/create-container.js'
import { removeContainer } from '../../containers/remove-container.js'

/**
 * Ends with 0 as soon as one of the ports, in hexadecimal, is listened on. Every shell can do it: the kernel lists the
 * sockets of a network (state 0A is "listening"). Those of the loopback address are of no use to others.
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

export interface Probe {
  name: string
  labels: Record<string, string>
  /** An image with a shell: that of the job has one. */
  imageId: string
  serviceId: string
  ports: number[]
}

/**
 * Looks from within the service's network, in a short-lived container, for engines whose containers this machine cannot
 * reach. Answers whether a port is open; throws the signal's reason when it aborts, and leaves nothing behind.
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
