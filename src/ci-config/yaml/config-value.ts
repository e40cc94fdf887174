/**
 * What a YAML file holds. Maps are `Map`s, so that a key such as `__proto__` or `12` is a key like any other and keeps its
 * place. Integers are bigints: `1` and `1.0` differ as text, and long ones stay exact.
 */
export type ConfigValue = ConfigScalar | ConfigList | ConfigMap | Reference
export type ConfigScalar = string | bigint | number | boolean | null
export type ConfigList = readonly ConfigValue[]
export type ConfigMap = ReadonlyMap<string, ConfigValue>

/** A value that was written; null is the same as not written at all (CI language, 2.2). */
export type Written = Exclude<ConfigValue, null>

/** `!reference [a, b]`: stands for what is found under those keys (CI language, 6.3). */
export class Reference {
  constructor(readonly path: ConfigList) {}
}

/** Estimated bytes of one value in memory, besides the characters of a string. */
export const NODE_SIZE = 40

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

/** A scalar as text: null is empty, `1.0` keeps its fraction. */
export function scalarText(value: ConfigScalar): string {
  if (value === null) return ''
  return typeof value === 'number' ? floatText(value) : String(value)
}

/** Always with a fraction; exponents from 1e16 up and below 0.0001, as the file's authors see them elsewhere. */
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
