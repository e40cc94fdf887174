import { isRecord } from '../../../lib/is-record.js'
import { apiError } from '../../http/errors.js'
import { type AttributePath, type Filter, FilterError, parsePath } from './filter.js'
import { matches } from './matches.js'
import { valueOf } from './read-attributes.js'

/** One change of a PATCH (RFC 7644, section 3.5.2). */
export interface PatchOperation {
  op: 'add' | 'replace' | 'remove'
  path: AttributePath | undefined
  value: unknown
}

/** Changes of one request. */
const MAX_OPERATIONS = 500

/** The changes of a body. Entra ID writes `Add` and `Replace`. Throws 400 for a body that is none of a PATCH. */
export function readPatch(body: Readonly<Record<string, unknown>>): PatchOperation[] {
  const operations = valueOf(body, 'Operations')
  if (!Array.isArray(operations)) throw invalidSyntax('Operations must be a list')
  if (operations.length > MAX_OPERATIONS) {
    throw invalidSyntax(`there are more than ${MAX_OPERATIONS} Operations`)
  }
  return operations.map(readOperation)
}

function readOperation(raw: unknown): PatchOperation {
  if (!isRecord(raw)) throw invalidSyntax('each of the Operations must be an object')
  const given = valueOf(raw, 'op')
  const op = typeof given === 'string' ? given.toLowerCase() : undefined
  if (op !== 'add' && op !== 'replace' && op !== 'remove') {
    throw invalidSyntax('the op of each of the Operations must be add, replace or remove')
  }
  const path = valueOf(raw, 'path')
  if (path !== undefined && path !== null && typeof path !== 'string')
    throw invalidSyntax('path must be a text')
  const operation: PatchOperation = {
    op,
    path: path ? readPath(path) : undefined,
    value: valueOf(raw, 'value'),
  }
  if (op === 'remove' && !operation.path) throw apiError('scim_no_target', { op, problem: 'it has no path' })
  return operation
}

function readPath(path: string): AttributePath {
  try {
    return parsePath(path)
  } catch (error) {
    if (!(error instanceof FilterError)) throw error
    throw apiError(
      'scim_invalid_path',
      { path: path.slice(0, 100), problem: error.message },
      { cause: error },
    )
  }
}

/** The kinds of attributes: a value, an object with the named parts, or a list of such objects. */
export type Shape = ReadonlyMap<string, AttributeShape>
interface AttributeShape {
  /** As RFC 7643 spells it. */
  name: string
  kind: 'value' | 'object' | 'list'
  /** Parts by their names in lower case. */
  parts?: ReadonlyMap<string, string>
}

type Resource = Record<string, unknown>

/**
 * The resource after the changes; the given one stays as it is. Attributes that `shape` does not name are ignored, as RFC
 * 7644, section 3.5.2, allows for attributes that a service does not have. Throws 400 for changes of nothing.
 */
export function applyPatch(
  shape: Shape,
  resource: Readonly<Resource>,
  operations: readonly PatchOperation[],
): Resource {
  const changed = structuredClone(resource) as Resource
  for (const operation of operations) {
    for (const single of withPaths(operation)) applyOne(shape, changed, single)
  }
  return changed
}

type WithPath = PatchOperation & { path: AttributePath }

/** An operation without a path has one for each name in its value: Okta writes `{"active": false}`. */
function withPaths({ op, path, value }: PatchOperation): WithPath[] {
  if (path) return [{ op, path, value }]
  if (!isRecord(value))
    throw apiError('scim_no_target', { op, problem: 'it has neither a path nor an object' })
  return Object.entries(value)
    .filter(([name]) => !/^(schemas|urn:.*:2\.0:\w+)$/i.test(name))
    .map(([name, each]) => ({ op, path: readPath(name), value: each }))
}

function applyOne(shape: Shape, resource: Resource, { op, path, value }: WithPath): void {
  const attribute = shape.get(path.attribute)
  if (!attribute) return
  const { name, kind } = attribute
  if (kind === 'list') {
    resource[name] = changedList(attribute, listOf(resource[name]), { op, path, value })
  } else if (path.elements) {
    throw apiError('scim_no_target', { op, problem: `${name} is no list` })
  } else if (kind === 'value') {
    resource[name] = op === 'remove' ? undefined : value
  } else {
    resource[name] = changedObject(attribute, resource[name], { op, path, value })
  }
}

function changedObject(attribute: AttributeShape, old: unknown, { op, path, value }: WithPath): Resource {
  const before = isRecord(old) ? old : {}
  if (path.sub === undefined) {
    if (op === 'remove') return {}
    return { ...(op === 'add' && before), ...partsOf(attribute, value) }
  }
  const part = attribute.parts?.get(path.sub)
  if (part === undefined) return before
  return { ...before, [part]: op === 'remove' ? undefined : value }
}

/** The known parts of an object, with their names as RFC 7643 spells them. */
function partsOf({ name, parts }: AttributeShape, value: unknown): Resource {
  if (!isRecord(value))
    throw apiError('scim_invalid_value', { attribute: name, problem: 'must be an object' })
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, each]) => {
      const part = parts?.get(key.toLowerCase())
      return part === undefined ? [] : [[part, each]]
    }),
  )
}

function changedList(attribute: AttributeShape, old: Resource[], { op, path, value }: WithPath): Resource[] {
  if (path.elements) return changedElements(attribute, old, { op, path, value, elements: path.elements })
  if (path.sub !== undefined) {
    const part = attribute.parts?.get(path.sub)
    return part === undefined ? old : old.map((each) => ({ ...each, [part]: value }))
  }
  if (op === 'remove') return value === undefined || value === null ? [] : without(attribute, old, value)
  const given = (Array.isArray(value) ? value : [value]).map((each) => partsOf(attribute, each))
  if (op === 'replace') return given
  const kept = without(attribute, old, given)
  // There is one primary element: the new one (RFC 7644, section 3.5.2).
  const hasPrimary = given.some((each) => each['primary'] === true)
  return [...(hasPrimary ? kept.map((each) => ({ ...each, primary: false })) : kept), ...given]
}

/** Entra ID removes elements by naming them in `value`. */
function without(attribute: AttributeShape, old: Resource[], value: unknown): Resource[] {
  const given = (Array.isArray(value) ? value : [value]).map((each) => partsOf(attribute, each)['value'])
  const values = new Set(given)
  return old.filter((each) => !values.has(each['value']))
}

function changedElements(
  attribute: AttributeShape,
  old: Resource[],
  { op, path, value, elements }: WithPath & { elements: Filter },
): Resource[] {
  const isMeant = old.map((each) => matchesOrThrow(elements, each))
  if (op === 'remove' && path.sub === undefined) return old.filter((_each, at) => !isMeant[at])
  const part = path.sub === undefined ? undefined : attribute.parts?.get(path.sub)
  if (path.sub !== undefined && part === undefined) return old
  const set = part === undefined ? () => partsOf(attribute, value) : () => ({ [part]: value })
  const changes = op === 'remove' && part !== undefined ? { [part]: undefined } : set()
  if (isMeant.includes(true)) return old.map((each, at) => (isMeant[at] ? { ...each, ...changes } : each))
  if (op === 'remove') return old
  return [...old, { ...newElement(attribute, elements, op), ...changes }]
}

/** Entra ID changes `emails[type eq "work"].value` also if there is none: the new element then has this type. */
function newElement(attribute: AttributeShape, elements: Filter, op: string): Resource {
  const part =
    elements.kind === 'compare' && elements.operator === 'eq' && attribute.parts?.get(elements.path.attribute)
  if (elements.kind !== 'compare' || !part) {
    throw apiError('scim_no_target', { op, problem: `no element of ${attribute.name} meets the filter` })
  }
  return { [part]: elements.value }
}

function matchesOrThrow(filter: Filter, element: Resource): boolean {
  try {
    return matches(filter, element)
  } catch (error) {
    if (!(error instanceof FilterError)) throw error
    throw apiError('scim_invalid_filter', { problem: error.message }, { cause: error })
  }
}

function listOf(value: unknown): Resource[] {
  return Array.isArray(value) ? value.filter(isRecord) : []
}

function invalidSyntax(problem: string): Error {
  return apiError('scim_invalid_syntax', { problem })
}
