import { limits } from '../limits.js'
import { type ConfigList, type ConfigValue, isList, isPresent, type Written } from '../yaml/config-value.js'
import type { Location } from './location.js'
import type { Reader } from './reader.js'

export const readString: Reader<string> = (value, location) =>
  typeof value === 'string' ? value : location.refuse('should be a string')

export const readBoolean: Reader<boolean> = (value, location) =>
  typeof value === 'boolean' ? value : location.refuse('should be a boolean value')

export const readStrings: Reader<string[]> = (value, location) =>
  stringsOf(value) ?? location.refuse('should be an array of strings', ...wrongItem(value))

/** A string that is not empty. */
export const readName: Reader<string> = (value, location) => {
  if (typeof value !== 'string') return location.refuse('should be a string')
  return isPresent(value) ? value : location.refuse("can't be blank")
}

export function shortString(longest: number): Reader<string> {
  return (value, location) => {
    if (typeof value !== 'string') return location.refuse('should be a string')
    if (value.length > longest) return location.refuse(`is too long (maximum is ${longest} characters)`)
    return value
  }
}

/** One of a few words; `wanted` completes the message for other ones. */
export function oneOf<T extends string>(
  choices: readonly T[],
  wanted = `should be one of: ${choices.join(', ')}`,
): Reader<T> {
  return (value, location) => {
    if (typeof value !== 'string') return location.refuse('should be a string')
    return (
      choices.find((choice) => choice === value) ??
      location.suggesting({ words: [value], among: choices }).refuse(wanted)
    )
  }
}

/** Values with a variable cannot be checked before expansion. */
export function mentionsVariable(text: string): boolean {
  return text.includes('$')
}

export const readStringOrStrings: Reader<string[]> = (value, location) => {
  const strings = typeof value === 'string' ? [value] : stringsOf(value)
  return strings ?? location.refuse('should be an array of strings or a string', ...wrongItem(value))
}

/** One number or several. */
export const readIntegers: Reader<number[]> = (value, location) => {
  const items = isList(value) ? value : [value]
  const integers = items.filter((item) => typeof item === 'bigint')
  if (integers.length === items.length) return integers.map(Number)
  const wrong = isList(value) ? value.findIndex((item) => typeof item !== 'bigint') : -1
  return location.refuse(
    'should be an array of integers or an integer',
    ...(wrong < 0 ? [] : [String(wrong)]),
  )
}

export function integerBetween(least: number, most: number): Reader<number> {
  return (value, location) => {
    if (typeof value === 'number') return location.refuse('must be an integer')
    if (typeof value !== 'bigint') return location.refuse('is not a number')
    if (value < least) return location.refuse(`must be greater than or equal to ${least}`)
    return value > most ? location.refuse(`must be less than or equal to ${most}`) : Number(value)
  }
}

/** A list of strings, unchanged; undefined for anything else. */
export function stringsOf(value: Written): string[] | undefined {
  if (!isList(value)) return undefined
  const strings = value.filter((item) => typeof item === 'string')
  return strings.length === value.length ? strings : undefined
}

/** An item of a nested list, with the indexes that lead to it. */
export interface FlatItem {
  value: ConfigValue
  position: readonly string[]
}

/** Like `flatten`, for lists whose items are separate entries. */
export function flatItems(list: ConfigList, levels: number = limits.nestedLists): FlatItem[] {
  return list.flatMap((value, index) => {
    if (!isList(value) || levels === 0) return [{ value, position: [String(index)] }]
    const items = flatItems(value, levels - 1)
    return items.map((item) => ({ value: item.value, position: [String(index), ...item.position] }))
  })
}

/** Like `flatItems`, without null items, which several lists ignore (CI language, 6.4). */
export function setItems(list: ConfigList): { value: Written; position: readonly string[] }[] {
  return flatItems(list).flatMap(({ value, position }) => (value === null ? [] : [{ value, position }]))
}

/**
 * Flattens nested lists of strings, up to the depth that the language allows, counting the outer list;
 * undefined for anything else.
 */
export function flatStringsOf(value: Written): string[] | undefined {
  if (!isList(value)) return undefined
  return stringsOf(value) ?? stringsOf(flatItems(value, limits.nestedLists - 1).map((item) => item.value))
}

/** The position of the first item that is no text; empty if the value is no list. */
export function wrongItem(value: Written): string[] {
  const index = isList(value) ? value.findIndex((item) => typeof item !== 'string') : -1
  return index < 0 ? [] : [String(index)]
}

/** As `wrongItem`, in nested lists. */
export function wrongFlatItem(value: Written): readonly string[] {
  const items = isList(value) ? flatItems(value, limits.nestedLists - 1) : []
  return items.find((item) => typeof item.value !== 'string')?.position ?? []
}

/** Refuses the words of a list that are not among those that are known. */
export function refuseWords(
  unknown: readonly string[],
  written: readonly string[],
  known: Iterable<string>,
  location: Location,
): null {
  const index = String(written.findIndex((word) => unknown.includes(word)))
  return location
    .suggesting({ words: unknown, among: known })
    .refuse(`contains unknown values: ${unknown.join(', ')}`, index)
}
