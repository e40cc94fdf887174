import { Readable } from 'node:stream'
import { json } from 'node:stream/consumers'

import type Docker from 'dockerode'

/**
 * The exit code of a container that was started, once it has ended. The client's own call waits for ever when the
 * engine goes away after the headers of the answer, which it sends at once; a stream fails then.
 */
export async function waitForExit(docker: Docker, containerId: string): Promise<number> {
  const answer = await new Promise<unknown>((resolve, reject) => {
    docker.modem.dial(
      {
        path: `/containers/${containerId}/wait`,
        method: 'POST',
        isStream: true,
        statusCodes: { 200: true, 404: 'no such container', 500: 'server error' },
      },
      (error, result) => (error ? reject(error) : resolve(result)),
    )
  })
  if (!(answer instanceof Readable)) throw new Error('The answer of the engine to a wait is no stream')
  const { StatusCode: exitCode } = (await json(answer)) as { StatusCode: number }
  return exitCode
}
