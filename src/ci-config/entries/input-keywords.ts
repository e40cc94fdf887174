import { limits } from '../limits.js'
import { type ConfigList, type ConfigMap, isList } from '../yaml/config-value.js'
import type { Location } from './location.js'
import type { Reader } from './reader.js'
import { readString } from './simple-values.js'
import { readDescription } from './variables.js'

/** Keywords of an input, of a file or of a job. */
export const inputReaders = {
  description: readDescription,
  regex: readString,
  options: ((value, location) =>
    isList(value) ? value : location.refuse('should be an array')) satisfies Reader<ConfigList>,
}

export function checkOptionList(map: ConfigMap, location: Location): void {
  const options = map.get('options')
  if (!isList(options)) return
  if (options.length > limits.inputOptions) {
    location.refuse(`cannot define more than ${limits.inputOptions} options`, 'options')
  }
  if (options.includes(null)) location.refuse('options array cannot contain null values', 'options')
}
