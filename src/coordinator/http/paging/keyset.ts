import { apiError, invalidParameters } from '../errors.js'
import type { KeysetRules } from '../operation.js'
import type { Keyset } from '../page.js'
import { readerOfNumber } from '../parameters/scalar-readers.js'
import { isStorableText } from '../parameters/storable-text.js'

/** Maximum rows to skip by offset where keyset pagination exists (API, A7). */
const MAX_OFFSET = 50_000

const readInteger = readerOfNumber({ type: 'integer' })

/**
 * Reads the parameters of `pagination=keyset`; undefined without it. Throws 405 for an order without keyset
 * support, and 400 for an invalid cursor.
 */
export function readKeyset(
  given: Record<string, unknown>,
  rules: KeysetRules | undefined,
): Keyset | undefined {
  const kind = given['pagination']
  if (kind === undefined || kind === 'legacy') return undefined
  if (kind !== 'keyset') throw invalidParameters('pagination does not have a valid value')
  const order = rules && orderOf(given, rules)
  if (!order) {
    throw apiError('keyset_not_available')
  }
  return { ...order, after: readPlace(given, order) }
}

/** Throws 405 for a page whose offset is too large. */
export function refuseLongOffset(offset: number, { of }: KeysetRules): void {
  if (offset <= MAX_OFFSET) return
  throw apiError('offset_too_large', { max: MAX_OFFSET, type: of })
}

/** Parameters of the next page, by the last public record of this one. */
export function parametersAfter(
  { column, direction }: Omit<Keyset, 'after'>,
  record: unknown,
): Record<string, string> {
  const { id, [column]: value } = record as Record<string, unknown>
  if (column === 'id') return { [placeName(direction)]: String(id) }
  const cursor = Buffer.from(JSON.stringify({ value, id })).toString('base64url')
  return { cursor }
}

/** Names of parameters that define the start of a page. */
export const PLACE_PARAMETERS = ['id_after', 'id_before', 'cursor']

function orderOf(given: Record<string, unknown>, { orders }: KeysetRules): Omit<Keyset, 'after'> | undefined {
  const [first = ''] = orders
  const column = typeof given['order_by'] === 'string' ? given['order_by'] : nameOf(first)
  const allowed = orders.filter((order) => nameOf(order) === column)
  const wanted = given['sort'] ?? allowed[0]?.split(' ')[1] ?? 'desc'
  const direction = wanted === 'asc' ? 'asc' : 'desc'
  const isAllowed = allowed.some((order) => order === column || order === `${column} ${direction}`)
  return isAllowed ? { column, direction } : undefined
}

function nameOf(order: string): string {
  return order.split(' ')[0] ?? ''
}

function placeName(direction: Keyset['direction']): string {
  return direction === 'asc' ? 'id_after' : 'id_before'
}

function readPlace(
  given: Record<string, unknown>,
  { column, direction }: Omit<Keyset, 'after'>,
): Keyset['after'] {
  if (column !== 'id') return given['cursor'] === undefined ? undefined : readCursor(given['cursor'], column)
  const name = placeName(direction)
  const problems: string[] = []
  const id = given[name] === undefined ? undefined : readInteger(given[name], name, problems)
  if (problems.length > 0) throw invalidParameters(problems.join(', '))
  return typeof id === 'number' ? { id } : undefined
}

/** Time columns contain milliseconds, while public records contain texts. */
function readCursor(cursor: unknown, column: string): Keyset['after'] {
  const { value, id } = parseCursor(cursor)
  const inColumn = column.endsWith('_at') && typeof value === 'string' ? Date.parse(value) : value
  const isText = typeof inColumn === 'string' && isStorableText(inColumn)
  const isValue = isText || (typeof inColumn === 'number' && Number.isSafeInteger(inColumn))
  if (!isValue || !Number.isSafeInteger(id)) throw invalidParameters('cursor is invalid')
  return { value: inColumn, id: Number(id) }
}

function parseCursor(cursor: unknown): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(String(cursor), 'base64url').toString())
    return Object.assign({}, parsed)
  } catch (error) {
    throw invalidParameters('cursor is invalid', { cause: error })
  }
}
