import type Docker from 'dockerode'

import { pause } from '../../../../lib/pause.js'
import { askLibpod } from '../capabilities/ask-libpod.js'

const PAUSE = 1000

/**
 * Runs the health check of a container until it succeeds. Podman would run it by timers of systemd, which not every
 * machine has, and at the interval of the image, which may be longer than a job waits. Throws the reason of the signal
 * when it aborts, or the error of the engine.
 */
export async function requestHealth(
  docker: Pick<Docker, 'modem'>,
  containerId: string,
  signal: AbortSignal,
): Promise<'healthy'> {
  for (;;) {
    signal.throwIfAborted()
    const result = await askLibpod(docker, `/containers/${containerId}/healthcheck`, signal)
    if (isHealthy(result)) return 'healthy'
    await pause(PAUSE, signal)
  }
}

function isHealthy(result: unknown): boolean {
  return typeof result === 'object' && result !== null && 'Status' in result && result.Status === 'healthy'
}
