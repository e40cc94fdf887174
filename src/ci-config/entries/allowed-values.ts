import { insertedText } from '../inputs/input-types.js'
import type { Reader } from './reader.js'

/** One of a few words; another one is named in the message. */
export function allowedValue<T extends string>(choices: readonly T[]): Reader<T> {
  return (value, location) => {
    const found = choices.find((choice) => choice === value)
    const text = insertedText(value)
    return found ?? location.suggesting({ words: [text], among: choices }).refuse(`unknown value: ${text}`)
  }
}
