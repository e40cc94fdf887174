/** Objects of the kind `Status`, in the words of a real API server. */
export interface StatusObject {
  kind: 'Status'
  apiVersion: 'v1'
  metadata: object
  status: 'Failure' | 'Success'
  message?: string
  reason?: string
  details?: object
  code?: number
}

/** An error response. */
export class RefusedRequest extends Error {
  constructor(readonly status: StatusObject & { code: number }) {
    super(status.message)
  }
}

export function refusal(code: number, reason: string, message: string, details?: object): RefusedRequest {
  return new RefusedRequest({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message,
    reason,
    ...(details && { details }),
    code,
  })
}

export function notFound(kind: string, name: string): RefusedRequest {
  return refusal(404, 'NotFound', `${kind} "${name}" not found`, { name, kind })
}

export function alreadyExists(kind: string, name: string): RefusedRequest {
  return refusal(409, 'AlreadyExists', `${kind} "${name}" already exists`, { name, kind })
}

export function uidConflict(kind: string, name: string, uid: string, real: string): RefusedRequest {
  const why = `the UID in the precondition (${uid}) does not match the UID in record (${real})`
  const message = `Operation cannot be fulfilled on ${kind} "${name}": ${why}. The object might have been deleted and then recreated`
  return refusal(409, 'Conflict', message, { name, kind })
}

export function exceededQuota(pod: string, quota: string, limit: number, used: number): RefusedRequest {
  const message = `pods "${pod}" is forbidden: exceeded quota: ${quota}, requested: pods=1, used: pods=${used}, limited: pods=${limit}`
  return refusal(403, 'Forbidden', message, { name: pod, kind: 'pods' })
}

export interface Right {
  namespace: string
  verb: string
  /** With the subresource, such as `pods/exec`. */
  resource: string
}

export function forbidden(
  { namespace, verb, resource }: Right,
  name: string | undefined,
  user: string,
): RefusedRequest {
  const [kind = ''] = resource.split('/')
  const subject = name === undefined ? kind : `${kind} "${name}"`
  const message = `${subject} is forbidden: User "${user}" cannot ${verb} resource "${resource}" in API group "" in the namespace "${namespace}"`
  return refusal(403, 'Forbidden', message, { ...(name !== undefined && { name }), kind })
}

export const unauthorized = () => refusal(401, 'Unauthorized', 'Unauthorized')

export function expired(version: number, oldest: number): RefusedRequest {
  return refusal(410, 'Expired', `too old resource version: ${version} (${oldest})`)
}

export const badRequest = (message: string) => refusal(400, 'BadRequest', message)

/** What the channel `status` says about a command. */
export function commandStatus(exitCode: number): StatusObject {
  const begin = { kind: 'Status', apiVersion: 'v1', metadata: {} } as const
  if (exitCode === 0) return { ...begin, status: 'Success' }
  return {
    ...begin,
    status: 'Failure',
    message: `command terminated with non-zero exit code: Error executing in Docker Container: ${exitCode}`,
    reason: 'NonZeroExitCode',
    details: { causes: [{ reason: 'ExitCode', message: String(exitCode) }] },
  }
}

export function commandFailure(message: string): StatusObject {
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: `Internal error occurred: ${message}`,
    reason: 'InternalError',
    details: { causes: [{ message }] },
    code: 500,
  }
}
