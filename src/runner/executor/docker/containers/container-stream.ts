import { Readable } from 'node:stream'
import { json } from 'node:stream/consumers'

import type Docker from 'dockerode'

/**
 * The exit code of a container that was started, once it has ended. The client's own call waits for ever when the
 * engine goes away after the headers of the answer, which it sends at once; a stream fails then.
 */
export async function waitForExit(docker: Docker, containerId: string): Promise<number> {
  const answer = await openStream(docker, 'POST', `/containers/${containerId}/wait`)
  const { StatusCode: exitCode } = (await json(answer)) as { StatusCode: number }
  return exitCode
}

/**
 * What a container has printed since it was made, in frames, with `follow` until it ends. The client's own call would
 * hold the whole log in memory.
 */
export async function openLog(docker: Docker, containerId: string, follow: boolean): Promise<Readable> {
  const query = `stdout=true&stderr=true&follow=${follow}`
  return await openStream(docker, 'GET', `/containers/${containerId}/logs?${query}`)
}

async function openStream(docker: Docker, method: 'GET' | 'POST', path: string): Promise<Readable> {
  const answer = await new Promise<unknown>((resolve, reject) => {
    docker.modem.dial(
      {
        path,
        method,
        isStream: true,
        statusCodes: { 200: true, 404: 'no such container', 500: 'server error' },
      },
      (error, result) => (error ? reject(error) : resolve(result)),
    )
  })
  if (answer instanceof Readable) return answer
  throw new Error(`The engine did not answer ${path} with a stream`)
}
