import { isRecord } from '../../../../../lib/is-record.js'
import { connectionProblem } from '../../../../../lib/network-errors.js'
import { ClusterError } from '../cluster.js'

/** The error of a `Status` object of the API server, with its own sentence. `status`: that of the HTTP response, if there was one. */
export function statusError(status: unknown, code: number | undefined, server: URL): ClusterError {
  const { message, reason } = isRecord(status) ? status : {}
  return new ClusterError(
    typeof message === 'string' && message !== ''
      ? message
      : `The API server at ${server.origin} responded with the HTTP status ${code ?? 'unknown'} and no explanation`,
    code,
    typeof reason === 'string' && reason !== '' ? reason : undefined,
  )
}

/** The error of a response with an error status, whose body is a `Status` object unless a proxy wrote it. */
export function responseError(code: number, body: Buffer, server: URL): ClusterError {
  let status: unknown
  try {
    status = JSON.parse(body.toString('utf8'))
  } catch {
    // Not of the API server. The text of a proxy is a page for a browser.
  }
  return statusError(status, code, server)
}

/** The error of a call that got no response, or only a part of it. */
export function networkError(error: unknown, server: URL): ClusterError {
  if (error instanceof ClusterError) return error
  const message = `The API server at ${server.origin} cannot be reached: ${connectionProblem(error)}`
  return new ClusterError(message, undefined, undefined, { cause: error })
}

export function silenceError(server: URL, milliseconds: number): ClusterError {
  const message = `The API server at ${server.origin} did not respond within ${milliseconds / 1000} seconds`
  return new ClusterError(message, undefined, undefined)
}

export function unexpectedResponse(server: URL): ClusterError {
  const message = `The server at ${server.origin} sent what no API server of Kubernetes sends: check its address`
  return new ClusterError(message, undefined, undefined)
}
