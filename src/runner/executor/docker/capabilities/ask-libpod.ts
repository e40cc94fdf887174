import type Docker from 'dockerode'

/** Calls Podman's own API. Throws the error of the engine, which has the status 404 at any other engine. */
export async function askLibpod(
  docker: Pick<Docker, 'modem'>,
  path: string,
  signal?: AbortSignal,
): Promise<unknown> {
  return await new Promise((resolve, reject) => {
    docker.modem.dial(
      {
        path: `/v4.0.0/libpod${path}`,
        method: 'GET',
        statusCodes: { 200: true },
        ...(signal ? { abortSignal: signal } : {}),
      },
      (error, response) => (error ? reject(error) : resolve(response)),
    )
  })
}
