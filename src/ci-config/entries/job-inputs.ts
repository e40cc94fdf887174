import type { InputSpec } from '../inputs/input-spec.js'
import { formatValue, TYPE_NAMES } from '../inputs/input-types.js'
import { problemOfDefault } from '../inputs/input-values.js'
import { limits } from '../limits.js'
import type { PlannedInput } from '../plan.js'
import { dataOf } from '../yaml/config-data.js'
import { type ConfigMap, type ConfigValue, isList, isMap, NOTHING } from '../yaml/config-value.js'
import { allowedValue } from './allowed-values.js'
import { checkOptionList, inputReaders } from './input-keywords.js'
import type { Location } from './location.js'
import { readMapEntry } from './map-entry.js'
import type { Reader } from './reader.js'

/** Inputs that users can set when they start the job manually (CI language, 5.4). */
export const readJobInputs: Reader<PlannedInput[]> = (value, location) => {
  if (!isMap(value)) return location.refuse('should be a hash')
  if (value.size > limits.jobInputs) {
    return location.refuse(`has too many entries (maximum ${limits.jobInputs})`)
  }
  const before = location.problemCount()
  const inputs = [...value].map(([name, written]) => readInput(name, written, location.child(name)))
  return location.problemCount() > before ? null : inputs.filter((input) => input !== null)
}

function readInput(name: string, written: ConfigValue, location: Location): PlannedInput | null {
  const map = written ?? NOTHING
  if (!isMap(map)) return location.refuse('should be a hash')
  const read = readMapEntry(jobInputShape, map, location, checkInput)
  return (
    read && {
      name,
      type: read.type ?? 'string',
      text: formatValue(map.get('default') ?? null),
      ...(read.options && { options: read.options.map(dataOf) }),
      ...(read.regex !== undefined && { regex: read.regex }),
      ...(read.description !== undefined && { description: read.description }),
    }
  )
}

/** A job can also run without user interaction, so every input needs a default. */
function checkInput(map: ConfigMap, location: Location): void {
  if ((map.get('default') ?? null) === null) location.refuseKind('must have a default value')
  checkOptionList(map, location)
}

/** Checks the defaults of valid inputs; `location` is that of the job. */
export function checkInputDefaults(inputs: ConfigMap, location: Location): void {
  for (const [name, written] of inputs) {
    const map = isMap(written) ? written : NOTHING
    const [type, regex, options] = ['type', 'regex', 'options'].map((key) => map.get(key))
    const spec: InputSpec = {
      name,
      type: typeof type === 'string' ? type : 'string',
      default: map.get('default') ?? null,
      ...(typeof regex === 'string' && { regex }),
      ...(isList(options) && { options }),
    }
    const problem = problemOfDefault(spec, location.patterns)
    if (problem !== undefined)
      location.refuseShown('inputs', `\`${name}\`: ${problem}`, 'inputs', name, 'default')
  }
}

export const jobInputShape = {
  attributes: {
    type: allowedValue(TYPE_NAMES),
    default: (value: ConfigValue) => value ?? null,
    ...inputReaders,
  },
  children: {},
  prefix: 'input',
}
