/**
 * The values of a YAML file. Maps are `Map`s, so that keys such as `__proto__` or `12` are ordinary keys and
 * keep their order. Integers are bigints: `1` and `1.0` differ as text, and long integers stay exact.
 */
export type ConfigValue = ConfigScalar | ConfigList | ConfigMap | Reference
export type ConfigScalar = string | bigint | number | boolean | null
export type ConfigList = readonly ConfigValue[]
export type ConfigMap = ReadonlyMap<string, ConfigValue>

/** A value that is set; null is the same as not set (CI language, 2.2). */
export type Written = Exclude<ConfigValue, null>

/** `!reference [a, b]`: is replaced by the value at these keys (CI language, 6.3). */
export class Reference {
  constructor(readonly path: ConfigList) {}
}

/** Estimated bytes of one value in memory, besides the characters of a string. */
export const NODE_SIZE = 40

/** The value of null where the items of a map are maps themselves: a map without keys. */
export const NOTHING: ConfigMap = new Map()

export function isMap(value: ConfigValue | undefined): value is ConfigMap {
  return value instanceof Map
}

export function isList(value: ConfigValue | undefined): value is ConfigList {
  return Array.isArray(value)
}

export function isScalar(value: ConfigValue | undefined): value is ConfigScalar {
  return value !== undefined && !isMap(value) && !isList(value) && !(value instanceof Reference)
}

/** Present: not null, not false, not blank, not empty. */
export function isPresent(value: ConfigValue | undefined): value is Written {
  if (value === undefined || value === null || value === false) return false
  if (typeof value === 'string') return value.trim() !== ''
  if (isList(value)) return value.length > 0
  return isMap(value) ? value.size > 0 : true
}

/** A scalar as text: null is empty, and `1.0` keeps its fraction. */
export function scalarText(value: ConfigScalar): string {
  if (value === null) return ''
  return typeof value === 'number' ? floatText(value) : String(value)
}

/** Always has a fraction. Uses exponents from 1e16 and below 0.0001, like other tools that authors use. */
function floatText(value: number): string {
  if (!Number.isFinite(value)) return String(value)
  const size = Math.abs(value)
  if (size !== 0 && (size >= 1e16 || size < 1e-4)) {
    const [digits = '', exponent = ''] = value.toExponential().split('e')
    const sign = exponent.startsWith('-') ? '-' : '+'
    return `${digits.includes('.') ? digits : `${digits}.0`}e${sign}${exponent.slice(1).padStart(2, '0')}`
  }
  return Number.isInteger(value) ? `${value}.0` : String(value)
}
