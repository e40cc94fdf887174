import type { JsonSchema } from '../../../../src/coordinator/http/parameters/json-schema.js'
import { Sent } from '../at-once/bodies.js'
import type { PreparedRequest } from '../at-once/world.js'
import { NEW_KEY, type Spot, withValue } from './spots.js'

/** A value for a spot, as JSON has it and as paths, queries and forms have it. */
export interface Value {
  /** JSON; absent for bytes that no JSON text can hold. */
  json?: string
  /** Absent for what only JSON can carry. */
  encoded?: string
}

export type Carrier = 'path' | 'query' | 'json' | 'form'

/** A request as it is sent. */
export interface Request {
  parts: PreparedRequest['parts']
  /** Without `?`. */
  query: string
  body: Sent | undefined
}

export interface Target {
  spot: Spot
  schema: JsonSchema
  carrier: Carrier
}

/** The request with the value at the spot; undefined where the carrier cannot hold the value. */
export function requestWith(
  { parts, body }: PreparedRequest,
  query: Record<string, string>,
  { spot, schema, carrier }: Target,
  value: Value,
): Request | undefined {
  const plain: Request = { parts, query: encode(query), body: body && asSent(body) }
  const { encoded, json } = value
  switch (carrier) {
    case 'path':
      if (encoded === undefined || encoded === '') return undefined
      return {
        ...plain,
        parts: parts.map((part) => (part.parameter === spot.parameter ? { ...part, text: encoded } : part)),
      }
    case 'query': {
      if (encoded === undefined) return undefined
      const others = without(query, spot.parameter)
      return {
        ...plain,
        query: [encode(others), pairOf(spot, encoded)].filter((part) => part !== '').join('&'),
      }
    }
    case 'form':
      return encoded === undefined ? undefined : { ...plain, body: formWith(body, spot, encoded) }
    case 'json':
      return json === undefined ? undefined : { ...plain, body: jsonWith(body, spot, schema, json) }
  }
}

/** Where the parameters of a body travel, as far as a value can be put into it. */
export function carriersOf(body: object | undefined): Carrier[] {
  if (!(body instanceof Sent)) return ['json', 'form']
  if (body.payload instanceof FormData) return ['form']
  return isJson(body) ? ['json'] : ['query']
}

function isJson({ headers }: Sent): boolean {
  return headers['content-type'] === 'application/json'
}

/** Placeholder for the value until the text is written, because a number is sent digit by digit as it is written. */
const PLACE = 'the value goes here'

function jsonWith(body: object | undefined, spot: Spot, schema: JsonSchema, json: string): Sent {
  const { params, headers } = jsonOf(body)
  const isKey = spot.keys.includes(NEW_KEY)
  const filled = withValue(params, spot, schema, isKey ? JSON.parse(json) : PLACE)
  const text = JSON.stringify(filled).replace(JSON.stringify(PLACE), () => json)
  return new Sent(text, { ...headers, 'content-type': 'application/json' })
}

function jsonOf(body: object = {}): { params: Record<string, unknown>; headers: Record<string, string> } {
  if (!(body instanceof Sent)) return { params: body as Record<string, unknown>, headers: {} }
  if (body.payload instanceof FormData) throw new Error('a form with files holds no JSON')
  return { params: JSON.parse(body.payload) as Record<string, unknown>, headers: body.headers }
}

function formWith(body: object | undefined, spot: Spot, encoded: string): Sent {
  if (body instanceof Sent && body.payload instanceof FormData) {
    const form = new FormData()
    for (const [name, value] of body.payload) form.append(name, value)
    form.set(nameInForm(spot), decode(encoded))
    return new Sent(form, body.headers)
  }
  const { params, headers } = jsonOf(body)
  const others = without(params, spot.parameter)
  const pairs = [...pairsOf(others), pairOf(spot, encoded)]
  return new Sent(pairs.join('&'), { ...headers, 'content-type': 'application/x-www-form-urlencoded' })
}

/** The text as a form can carry it; invalid UTF-8 is replaced as by a decoder. */
function decode(encoded: string): string {
  return new URLSearchParams(`v=${encoded.replaceAll('+', '%2B')}`).get('v') ?? ''
}

function pairsOf(params: Record<string, unknown>, prefix = ''): string[] {
  return Object.entries(params).flatMap(([key, value]) => {
    const name = prefix === '' ? encodeURIComponent(key) : `${prefix}[${encodeURIComponent(key)}]`
    if (Array.isArray(value)) {
      return value.flatMap((element, index) =>
        typeof element === 'object'
          ? pairsOf(element as Record<string, unknown>, `${name}[${index}]`)
          : [`${name}[]=${encodeURIComponent(String(element))}`],
      )
    }
    if (typeof value === 'object' && value !== null) return pairsOf(value as Record<string, unknown>, name)
    return [`${name}=${encodeURIComponent(String(value))}`]
  })
}

function pairOf(spot: Spot, encoded: string): string {
  if (spot.keys.includes(NEW_KEY)) return `${nameInForm(spot)}[${encoded}]=v`
  return `${nameInForm(spot)}=${encoded.replaceAll('+', '%2B')}`
}

function nameInForm({ keys }: Spot): string {
  const [first, ...others] = keys.filter((key) => key !== NEW_KEY)
  return String(first) + others.map((key) => `[${typeof key === 'number' ? '' : key}]`).join('')
}

function without<T>(params: Record<string, T>, name: string): Record<string, T> {
  return Object.fromEntries(Object.entries(params).filter(([key]) => key !== name))
}

function encode(query: Record<string, string>): string {
  return new URLSearchParams(query).toString()
}

export function asSent(body: object): Sent {
  return body instanceof Sent ? body : new Sent(JSON.stringify(body), { 'content-type': 'application/json' })
}
