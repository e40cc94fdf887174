import { isRecord } from '../../../../lib/is-record.js'
import type { ApiClient } from './api/api-client.js'
import { unexpectedResponse } from './api/api-errors.js'
import type { ApiRight } from './cluster.js'

const PATH = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews'

/** Whether the credentials have a right. Everybody may ask this. Throws a `ClusterError`. */
export async function hasRight(
  client: ApiClient,
  { namespace, verb, resource: named }: ApiRight,
): Promise<boolean> {
  const [resource, subresource] = named.split('/')
  const body = {
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SelfSubjectAccessReview',
    spec: { resourceAttributes: { namespace, verb, resource, ...(subresource && { subresource }) } },
  }
  const review = await client.call({ method: 'POST', path: PATH, body })
  const status = isRecord(review) ? review['status'] : undefined
  if (isRecord(status) && typeof status['allowed'] === 'boolean') return status['allowed']
  throw unexpectedResponse(client.server)
}
