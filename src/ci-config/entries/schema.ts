import { type ConfigMap, type ConfigValue, isMap, NOTHING } from '../yaml/config-value.js'
import type { Location } from './location.js'

/** Checks a value that the language describes by a JSON schema, and records the problems in the words of one. */
export type Check = (value: ConfigValue, at: SchemaLocation) => void

/** The keys of a map. */
export interface ObjectSchema {
  attributes: Readonly<Record<string, Check>>
  children: object
  required?: readonly string[]
}

/** A location in such a value: ``jobs:rspec run value at `/0/name` …``. */
export class SchemaLocation {
  constructor(
    private readonly parent: Location,
    /** The name of the value in messages. */
    private readonly shown: string,
    /** The keys that lead from the location to the value. */
    private readonly keys: readonly string[],
    private readonly pointer: readonly string[] = [],
  ) {}

  at(key: string): SchemaLocation {
    return new SchemaLocation(this.parent, this.shown, this.keys, [...this.pointer, key])
  }

  /** `thing` is what the message is about, such as `value` or `object property`. */
  refuse(thing: string, message: string): void {
    const { parent, shown, keys, pointer } = this
    const location = pointer.length === 0 ? 'root' : `\`/${pointer.join('/')}\``
    parent.refuseShown(shown, `${thing} at ${location} ${message}`, ...keys, ...pointer)
  }
}

export function objectOf({ attributes, required = [] }: ObjectSchema): Check {
  return (value, at) => {
    if (!isMap(value)) {
      at.refuse('value', 'is not an object')
      return
    }
    refuseMissing(value, required, at)
    for (const [key, item] of value) {
      const check = Object.hasOwn(attributes, key) ? attributes[key] : refuseProperty
      check?.(item, at.at(key))
    }
  }
}

function refuseMissing(map: ConfigMap, required: readonly string[], at: SchemaLocation): void {
  const missing = required.filter((key) => !map.has(key))
  if (missing.length > 0) at.refuse('object', `is missing required properties: ${missing.join(', ')}`)
}

/** A map whose keys are chosen by the author. */
export function namedValues(name: RegExp, check: Check): Check {
  return (value, at) => {
    if (!isMap(value)) at.refuse('value', 'is not an object')
    for (const [key, item] of isMap(value) ? value : NOTHING) {
      ;(name.test(key) ? check : refuseProperty)(item, at.at(key))
    }
  }
}

const refuseProperty: Check = (_value, at) =>
  at.refuse('object property', 'is a disallowed additional property')

export const anyText: Check = (value, at) => {
  if (typeof value !== 'string') at.refuse('value', 'is not a string')
}

export function textBetween(least: number, most = Infinity): Check {
  return (value, at) => {
    if (typeof value !== 'string') at.refuse('value', 'is not a string')
    else if (value.length < least) at.refuse('string length', `is less than: ${least}`)
    else if (value.length > most) at.refuse('string length', `is greater than: ${most}`)
  }
}

export function textLike(pattern: RegExp): Check {
  return (value, at) => {
    if (typeof value !== 'string') at.refuse('value', 'is not a string')
    else if (!pattern.test(value)) at.refuse('string', `does not match pattern: ${pattern.source}`)
  }
}
