import type { Operation } from '../../../../src/coordinator/http/operation.js'
import type { JsonSchema } from '../../../../src/coordinator/http/parameters/json-schema.js'
import { HOSTILE_NUMBERS, HOSTILE_TEXTS } from '../../../security/support/hostile-values.js'
import { inRandomOrder } from '../at-once/in-random-order.js'
import { type Carrier, carriersOf, type Target, type Value } from './requests.js'
import { spotsOf } from './spots.js'

/** One hostile value for one place of one operation. */
export interface Case extends Target {
  /** For messages. */
  title: string
  value: Value
  /** Every parameter must refuse the value. */
  isUnstorable: boolean
}

const NUMBERS = HOSTILE_NUMBERS.map((digits) => ({
  title: `the number ${digits.slice(0, 30)}`,
  value: {
    json: isJsonNumber(digits) ? digits : JSON.stringify(digits),
    encoded: encodeURIComponent(digits),
  },
  isUnstorable: false,
}))

const TEXTS = HOSTILE_TEXTS.map(({ title, text, encoded, isUnstorable = false }) => ({
  title,
  value: {
    ...(text !== undefined && { json: JSON.stringify(text) }),
    ...(encoded !== undefined && { encoded }),
  },
  isUnstorable,
}))

function isJsonNumber(digits: string): boolean {
  return /^-?(0|[1-9]\d*)(\.\d+)?(e[+-]?\d+)?$/.test(digits)
}

/** Lists are paged by numbers that no operation declares. */
const PAGING: Record<string, JsonSchema> = { page: { type: 'integer' }, per_page: { type: 'integer' } }

/** At most `most` cases of all that the parameters of an operation have. */
export function casesOf(
  { method, path, params, paginated, body: reading }: Operation,
  body: object | undefined,
  most: number,
  random: () => number,
): Case[] {
  const inPath = [...path.matchAll(/[:*](\w+)/g)].map((match) => match[1] ?? '')
  const { properties = {} }: JsonSchema = params ?? {}
  const declared: Record<string, JsonSchema> = { ...properties, ...(paginated && PAGING) }
  const parameters = { ...Object.fromEntries(inPath.map((name) => [name, { type: 'string' }])), ...declared }
  const cases = Object.entries<JsonSchema>(parameters).flatMap(([name, schema]) => {
    // An operation that streams its body takes its parameters from the query alone.
    const isInQuery = method === 'GET' || reading === 'stream'
    const elsewhere: Carrier[] = isInQuery ? ['query'] : carriersOf(body)
    const carriers: Carrier[] = inPath.includes(name) ? ['path'] : elsewhere
    return spotsOf(name, schema).flatMap((spot) => {
      const values = spot.takes === 'number' ? [...NUMBERS, ...TEXTS] : TEXTS
      return carriers.flatMap((carrier) => values.map((value) => ({ spot, schema, carrier, ...value })))
    })
  })
  return inRandomOrder(cases, random).slice(0, most)
}
