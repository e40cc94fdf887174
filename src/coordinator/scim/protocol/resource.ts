import { entityTag, isNamedBy } from '../../http/entity-tag.js'
import { apiError } from '../../http/errors.js'

type Resource = Readonly<Record<string, unknown>>

/** The resource with its version, which names `content`, all of it by default (RFC 7644, section 3.14). */
export function versioned(
  resource: Resource & { meta: Record<string, unknown> },
  content = JSON.stringify(resource),
): Record<string, unknown> {
  const version = entityTag(content)
  return { ...resource, meta: { ...resource.meta, version } }
}

export function versionOf({ meta }: Resource): string {
  return String((meta as Record<string, unknown>)['version'])
}

/** Throws 412 if the client knows another version of the resource. */
export function checkVersion(resource: Resource, ifMatch: string | undefined): void {
  if (ifMatch !== undefined && !isNamedBy(versionOf(resource), ifMatch))
    throw apiError('scim_version_mismatch')
}

/** Attributes that a response must have (RFC 7643, section 7: `returned` is `always`). */
const ALWAYS = ['schemas', 'id', 'meta']

export interface Selection {
  attributes: readonly string[]
  excluded: readonly string[]
}

/** The attributes that a client asked for; of an attribute with parts the whole (RFC 7644, section 3.9). */
export function selectAttributes(resource: Resource, { attributes, excluded }: Selection): Resource {
  if (attributes.length === 0 && excluded.length === 0) return resource
  const isWanted = (name: string): boolean =>
    ALWAYS.includes(name) ||
    (attributes.length > 0 ? attributes.includes(name.toLowerCase()) : !excluded.includes(name.toLowerCase()))
  return Object.fromEntries(Object.entries(resource).filter(([name]) => isWanted(name)))
}
