import { limits } from '../limits.js'
import { type ConfigList, type ConfigMap, isList } from '../yaml/config-value.js'
import type { Place } from './place.js'
import type { Reader } from './reader.js'
import { readString } from './simple-values.js'
import { readDescription } from './variables.js'

/** Keywords of an input, of a file or of a job. */
export const inputReaders = {
  description: readDescription,
  regex: readString,
  options: ((value, place) =>
    isList(value) ? value : place.refuse('should be an array')) satisfies Reader<ConfigList>,
}

export function checkOptionList(map: ConfigMap, place: Place): void {
  const options = map.get('options')
  if (!isList(options)) return
  if (options.length > limits.inputOptions) {
    place.refuse(`cannot define more than ${limits.inputOptions} options`, 'options')
  }
  if (options.includes(null)) place.refuse('options array cannot contain null values', 'options')
}
