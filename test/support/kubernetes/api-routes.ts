import type { IncomingMessage } from 'node:http'

import { isRecord } from '../../../src/lib/is-record.js'
import { readAtMost } from '../../../src/lib/read-at-most.js'
import type { EventObject } from './event-objects.js'
import type { Kubelet } from './kubelet.js'
import type { Misbehaviour } from './misbehaviour.js'
import { currentVersion, matchesSelector, now, type ObjectStore, type StoredObject } from './object-store.js'
import { newPod, type PodObject, type PodSpec } from './pod-objects.js'
import { badRequest, notFound, refusal } from './statuses.js'

const SERVER_VERSION = 'v1.30.2+test'

export interface SecretObject extends StoredObject {
  type?: string
  data?: Record<string, string>
  stringData?: Record<string, string>
}

/** The parts of a server that its requests are about. */
export interface ServerParts {
  pods: ObjectStore<PodObject>
  secrets: ObjectStore<SecretObject>
  events: ObjectStore<EventObject>
  kubelet: Kubelet
  misbehaviour: Misbehaviour
  namespaces: ReadonlySet<string>
  user: string
}

const LISTS = { pods: 'PodList', secrets: 'SecretList', events: 'EventList' } as const
type Resource = keyof typeof LISTS

/** A request for objects, such as for `/api/v1/namespaces/ci/pods/x/log`. */
export interface ObjectRequest {
  /** Empty for all. */
  namespace: string
  resource: Resource
  name: string | undefined
  subresource: string | undefined
}

export function readPath(path: string): ObjectRequest | undefined {
  const [, namespace = '', resource, name, subresource] =
    /^\/api\/v1(?:\/namespaces\/([^/]+))?\/(pods|secrets|events)(?:\/([^/]+)(?:\/([^/]+))?)?$/.exec(path) ??
    []
  if (!isResource(resource)) return undefined
  return { namespace, resource, name, subresource }
}

function isResource(name: string | undefined): name is Resource {
  return name !== undefined && name in LISTS
}

export interface JsonResponse {
  code: number
  body: object
}

/** Every request whose response is one object. */
export async function respondWithObject(
  parts: ServerParts,
  request: IncomingMessage,
  url: URL,
): Promise<JsonResponse> {
  if (url.pathname === '/version')
    return { code: 200, body: { major: '1', minor: '30', gitVersion: SERVER_VERSION } }
  const body = await readBody(request)
  if (url.pathname.endsWith('/selfsubjectaccessreviews')) return review(parts, body)
  const place = readPath(url.pathname)
  if (!place) throw refusal(404, 'NotFound', 'the server could not find the requested resource')
  const { namespace, resource, name } = place
  const verb = verbOf(request.method, name)
  parts.misbehaviour.checkRight({ namespace, verb, resource }, name, parts.user)
  const store: ObjectStore<PodObject> | ObjectStore<SecretObject> | ObjectStore<EventObject> = parts[resource]
  if (request.method === 'POST') return { code: 201, body: create(parts, place, body) }
  if (request.method === 'DELETE') return { code: 200, body: remove(parts, place, body) }
  if (name !== undefined) return { code: 200, body: store.get(namespace, name) }
  return { code: 200, body: list(LISTS[resource], store.all().filter(selects(namespace, url)), url) }
}

/** A list, or the part of it that the request asks for. */
function list(kind: string, objects: StoredObject[], url: URL): object {
  const [first = 0, version = currentVersion()] = (url.searchParams.get('continue') ?? '')
    .split('@')
    .filter((part) => part !== '')
    .map(Number)
  const end = first + Number(url.searchParams.get('limit') ?? Infinity)
  const next = end < objects.length ? `${end}@${version}` : ''
  const metadata = { resourceVersion: String(version), ...(next !== '' && { continue: next }) }
  return { kind, apiVersion: 'v1', metadata, items: objects.slice(first, end) }
}

function verbOf(method: string | undefined, name: string | undefined): string {
  if (method === 'POST') return 'create'
  if (method === 'DELETE') return 'delete'
  return name === undefined ? 'list' : 'get'
}

/** Whether an object belongs to a list or a watch. */
export function selects(namespace: string, url: URL): (object: StoredObject) => boolean {
  const labels = url.searchParams.get('labelSelector') ?? ''
  const fields = url.searchParams.get('fieldSelector') ?? ''
  return (object) =>
    (namespace === '' || object.metadata.namespace === namespace) &&
    matchesFields(object, fields) &&
    matchesSelector(object.metadata.labels, labels)
}

/** Whether an object matches a selector such as `involvedObject.kind=Pod,type!=Normal`. */
function matchesFields(object: StoredObject, selector: string): boolean {
  return selector
    .split(',')
    .filter((part) => part !== '')
    .every((part) => {
      const [, path = '', operator, value] = /^([\w.]+)(!=|==?)(.*)$/.exec(part) ?? []
      if (operator === undefined) throw badRequest(`invalid field selector: ${part}`)
      let field: unknown = object
      for (const key of path.split('.')) field = isRecord(field) ? field[key] : undefined
      return (field === value) !== (operator === '!=')
    })
}

function create(
  parts: ServerParts,
  { namespace, resource }: ObjectRequest,
  body: Record<string, unknown>,
): object {
  if (resource === 'events') throw refusal(405, 'MethodNotAllowed', 'no client of these tests writes events')
  if (!parts.namespaces.has(namespace)) throw notFound('namespaces', namespace)
  const given = isRecord(body['metadata']) ? body['metadata'] : {}
  const { name } = given
  if (typeof name !== 'string') throw refusal(422, 'Invalid', 'name or generateName is required')
  const metadata = { ...given, name, namespace, uid: '', resourceVersion: '', creationTimestamp: now() }
  if (resource === 'secrets') return parts.secrets.create({ ...body, metadata })
  const { spec } = body
  if (!isRecord(spec) || !Array.isArray(spec['containers'])) {
    throw refusal(422, 'Invalid', `Pod "${name}" is invalid: spec.containers: Required value`)
  }
  const used = parts.pods.all().filter(({ metadata: { namespace: of } }) => of === namespace).length
  const problem = parts.misbehaviour.quotaProblem(name, used)
  if (problem) throw problem
  const pod = parts.pods.create(newPod(metadata, spec as PodSpec))
  // After the response, as everything of a scheduler and a kubelet.
  setImmediate(() => void parts.kubelet.run(pod))
  return pod
}

function remove(
  parts: ServerParts,
  { namespace, resource, name = '' }: ObjectRequest,
  body: Record<string, unknown>,
): object {
  if (resource === 'events') throw refusal(405, 'MethodNotAllowed', 'no client of these tests deletes events')
  if (resource === 'secrets') {
    const secret = parts.secrets.get(namespace, name)
    parts.secrets.remove(secret)
    return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success' }
  }
  const pod = parts.pods.get(namespace, name)
  const { preconditions, gracePeriodSeconds } = body
  const uid = isRecord(preconditions) ? preconditions['uid'] : undefined
  parts.pods.checkUid(pod, typeof uid === 'string' ? uid : undefined)
  return removePod(parts, pod, typeof gracePeriodSeconds === 'number' ? gracePeriodSeconds : undefined)
}

function removePod(
  parts: ServerParts,
  pod: PodObject,
  grace = pod.spec.terminationGracePeriodSeconds ?? 30,
): PodObject {
  removeOwned(parts, pod.metadata.uid)
  if (grace === 0) {
    parts.pods.remove(pod)
    void parts.kubelet.stop(pod, 0)
    return pod
  }
  if (pod.metadata.deletionTimestamp !== undefined) return pod
  const metadata = {
    ...pod.metadata,
    deletionTimestamp: now(Date.now() + grace * 1000),
    deletionGracePeriodSeconds: grace,
  }
  const deleted = parts.pods.update({ ...pod, metadata })
  void parts.kubelet.stop(deleted, grace)
  return deleted
}

/** As the garbage collector does, only at once. */
function removeOwned({ secrets }: ServerParts, uid: string): void {
  for (const secret of secrets.all()) {
    if (secret.metadata.ownerReferences?.some((owner) => owner.uid === uid)) secrets.remove(secret)
  }
}

function review({ misbehaviour }: ServerParts, body: Record<string, unknown>): JsonResponse {
  const spec = isRecord(body['spec']) ? body['spec'] : {}
  const asked = isRecord(spec['resourceAttributes']) ? spec['resourceAttributes'] : {}
  const text = (key: string) => (typeof asked[key] === 'string' ? asked[key] : '')
  const resource = [text('resource'), text('subresource')].filter((part) => part !== '').join('/')
  const allowed = !misbehaviour.isForbidden({ namespace: text('namespace'), verb: text('verb'), resource })
  return { code: 201, body: { ...body, metadata: { creationTimestamp: null }, status: { allowed } } }
}

async function readBody(request: IncomingMessage): Promise<Record<string, unknown>> {
  const text = (await readAtMost(request, 1024 * 1024)).toString('utf8')
  if (text === '') return {}
  const body: unknown = JSON.parse(text)
  if (!isRecord(body)) throw badRequest('the body of the request was not an object')
  return body
}
