import { limits } from '../limits.js'
import { type ConfigList, isList, isPresent, type Written } from '../yaml/config-value.js'
import type { Reader } from './reader.js'

export const readString: Reader<string> = (value, place) =>
  typeof value === 'string' ? value : place.refuse('should be a string')

export const readBoolean: Reader<boolean> = (value, place) =>
  typeof value === 'boolean' ? value : place.refuse('should be a boolean value')

export const readStrings: Reader<string[]> = (value, place) =>
  stringsOf(value) ?? place.refuse('should be an array of strings')

/** A string that says something. */
export const readName: Reader<string> = (value, place) => {
  if (typeof value !== 'string') return place.refuse('should be a string')
  return isPresent(value) ? value : place.refuse("can't be blank")
}

export function shortString(longest: number): Reader<string> {
  return (value, place) => {
    if (typeof value !== 'string') return place.refuse('should be a string')
    if (value.length > longest) return place.refuse(`is too long (maximum is ${longest} characters)`)
    return value
  }
}

export function oneOf<T extends string>(choices: readonly T[]): Reader<T> {
  return (value, place) =>
    choices.find((choice) => choice === value) ?? place.refuse(`should be one of: ${choices.join(', ')}`)
}

/** A list of strings as it is; undefined for anything else. */
export function stringsOf(value: Written): string[] | undefined {
  if (!isList(value)) return undefined
  const strings = value.filter((item) => typeof item === 'string')
  return strings.length === value.length ? strings : undefined
}

/** Lists inside the list opened up, as many levels as the language allows. */
export function flatten(list: ConfigList): ConfigList {
  return list.flat(limits.nestedLists)
}

/** A list of strings in which lists of strings may stand; undefined for anything else. */
export function flatStringsOf(value: Written): string[] | undefined {
  return isList(value) ? stringsOf(flatten(value)) : undefined
}
