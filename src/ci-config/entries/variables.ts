import type { PlannedVariable } from '../plan.js'
import { type ConfigMap, type ConfigValue, isMap, isScalar, scalarText } from '../yaml/config-value.js'
import type { Location } from './location.js'
import { type Reader, readKeywords } from './reader.js'
import { readBoolean, readStrings } from './simple-values.js'

/** Variables at the top level: a map may also describe the value for users (CI language, 2.3). */
export const readTopVariables = variablesReader(['value', 'description', 'options', 'expand'])

export const readJobVariables = variablesReader(['value', 'expand'])

/** For places that accept only scalars: the variables of a service. */
export const readPlainVariables: Reader<PlannedVariable[]> = (value, location) =>
  readEach(value, location, (key, written, at) =>
    isScalar(written) ? plain(key, written) : at.refuse('must be a string'),
  )

function variablesReader(dataKeys: readonly string[]): Reader<PlannedVariable[]> {
  return (value, location) =>
    readEach(value, location, (key, written, at) => {
      if (isScalar(written)) return plain(key, written)
      if (isMap(written)) return described(key, written, dataKeys, at)
      return at.refuseWithoutPath('variable definition must be either a string or a hash')
    })
}

type ReadOne = (key: string, value: ConfigValue, location: Location) => PlannedVariable | null

function readEach(value: ConfigValue, location: Location, read: ReadOne): PlannedVariable[] | null {
  if (!isMap(value)) return location.refuse('should be a hash of key value pairs')
  const variables = [...value].map(([key, written]) => read(key, written, location.child(key)))
  return variables.filter((variable) => variable !== null)
}

function plain(key: string, value: Parameters<typeof scalarText>[0]): PlannedVariable {
  return { key, value: scalarText(value), raw: false }
}

/** A map without `value` yields the empty string. */
function described(
  key: string,
  map: ConfigMap,
  dataKeys: readonly string[],
  location: Location,
): PlannedVariable | null {
  const unknown = [...map.keys()].filter((dataKey) => !dataKeys.includes(dataKey))
  if (unknown.length > 0) {
    return location
      .suggesting({ words: unknown, among: dataKeys })
      .refuse(`uses invalid data keys: ${unknown.join(', ')}`)
  }
  const read = readKeywords(describedVariableReaders, map, (dataKey) =>
    location.attribute(dataKey, `config ${dataKey}`),
  )
  const value = read.value ?? ''
  if (read.options && !read.options.includes(value)) {
    return location.attribute('value', 'config value').refuse('must be present in options')
  }
  return { key, value, raw: read.expand === false }
}

const readValue: Reader<string> = (value, location) =>
  isScalar(value) ? scalarText(value) : location.refuse('must be a scalar')

export const readDescription: Reader<string> = (value, location) =>
  isScalar(value) ? scalarText(value) : location.refuse('must be an alphanumeric string')

export const describedVariableReaders = {
  value: readValue,
  description: readDescription,
  options: readStrings,
  expand: readBoolean,
}
