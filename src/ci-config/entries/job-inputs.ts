import type { InputSpec } from '../inputs/input-spec.js'
import { textOf, TYPE_NAMES } from '../inputs/input-types.js'
import { problemOfDefault } from '../inputs/input-values.js'
import { limits } from '../limits.js'
import type { PlannedInput } from '../plan.js'
import { dataOf } from '../yaml/config-data.js'
import { type ConfigMap, type ConfigValue, isList, isMap, NOTHING } from '../yaml/config-value.js'
import { allowedValue } from './allowed-values.js'
import { checkOptionList, inputReaders } from './input-keywords.js'
import { readMapEntry } from './map-entry.js'
import type { Place } from './place.js'
import type { Reader } from './reader.js'

/** Inputs that users can set when they start the job manually (CI language, 5.4). */
export const readJobInputs: Reader<PlannedInput[]> = (value, place) => {
  if (!isMap(value)) return place.refuse('should be a hash')
  if (value.size > limits.jobInputs) {
    return place.refuse(`has too many entries (maximum ${limits.jobInputs})`)
  }
  const before = place.problemCount()
  const inputs = [...value].map(([name, written]) => readInput(name, written, place.child(name)))
  return place.problemCount() > before ? null : inputs.filter((input) => input !== null)
}

function readInput(name: string, written: ConfigValue, place: Place): PlannedInput | null {
  const map = written ?? NOTHING
  if (!isMap(map)) return place.refuse('should be a hash')
  const read = readMapEntry(jobInputShape, map, place, checkInput)
  return (
    read && {
      name,
      type: read.type ?? 'string',
      text: textOf(map.get('default') ?? null),
      ...(read.options && { options: read.options.map(dataOf) }),
      ...(read.regex !== undefined && { regex: read.regex }),
      ...(read.description !== undefined && { description: read.description }),
    }
  )
}

/** A job can also run without user interaction, so every input needs a default. */
function checkInput(map: ConfigMap, place: Place): void {
  if ((map.get('default') ?? null) === null) place.refuseKind('must have a default value')
  checkOptionList(map, place)
}

/** Checks the defaults of valid inputs; `place` is the job. */
export function checkInputDefaults(inputs: ConfigMap, place: Place): void {
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
    const problem = problemOfDefault(spec, place.patterns)
    if (problem !== undefined)
      place.refuseShown('inputs', `\`${name}\`: ${problem}`, 'inputs', name, 'default')
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
