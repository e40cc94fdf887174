import { limits } from '../limits.js'
import type { ConfigData, PlannedTrigger } from '../plan.js'
import { dataOf } from '../yaml/config-data.js'
import { type ConfigMap, isList, isMap, isPresent, type Written } from '../yaml/config-value.js'
import { INCLUDE_KEYWORDS } from './include-keywords.js'
import type { Location } from './location.js'
import { mapOf, readMapEntry, refuseUnknownKeys, requireWritten } from './map-entry.js'
import type { Reader } from './reader.js'
import { remoteOptions } from './remote-options.js'
import { oneOf, readBoolean, readName } from './simple-values.js'

/**
 * The pipeline that the job starts: in another project, or a child pipeline from files (CI language, 13.1).
 */
export const readTrigger: Reader<PlannedTrigger> = (value, location) => {
  if (typeof value === 'string') {
    const project = readName(value, location)
    return project === null ? null : { kind: 'project', project, forward: FORWARD }
  }
  if (!isMap(value)) return location.refuseKind('has to be either a string or a hash')
  if (value.size === 0) return location.refuse("can't be blank")
  return value.has('include') ? readChild(value, location) : readProject(value, location)
}

/** The variables that are forwarded by default. */
const FORWARD = { yamlVariables: true, pipelineVariables: false }

function readChild(map: ConfigMap, location: Location): PlannedTrigger | null {
  const read = readMapEntry(childPipelineShape, map, location)
  if (!read) return null
  if (!read.include) return location.child('include').refuse("can't be blank")
  return { kind: 'child', include: read.include, ...optionsOf(read) }
}

function readProject(map: ConfigMap, location: Location): PlannedTrigger | null {
  const read = readMapEntry(projectPipelineShape, map, location, () =>
    requireWritten(map, ['project'], location),
  )
  if (!read) return null
  return {
    kind: 'project',
    project: read.project ?? '',
    ...(read.branch !== undefined && { branch: read.branch }),
    ...optionsOf(read),
  }
}

interface Options {
  strategy?: NonNullable<PlannedTrigger['strategy']>
  forward?: { yaml_variables?: boolean; pipeline_variables?: boolean }
  inputs?: ConfigData
}

function optionsOf({ strategy, forward = {}, inputs }: Options) {
  return {
    ...(strategy && { strategy }),
    ...(inputs !== undefined && { inputs }),
    forward: {
      yamlVariables: forward.yaml_variables ?? FORWARD.yamlVariables,
      pipelineVariables: forward.pipeline_variables ?? FORWARD.pipelineVariables,
    },
  }
}

const INCLUDE_KEYS: ReadonlySet<string> = new Set(INCLUDE_KEYWORDS)

/**
 * Kept unchanged for the compilation of the child pipeline; only problems of the list itself are reported
 * here.
 */
const readIncludes: Reader<ConfigData[]> = (value, location) => {
  if (!isPresent(value)) return location.refuse("can't be blank")
  if (typeof value !== 'string' && !isMap(value) && !isList(value)) {
    return location.refuse('should be an array or a string')
  }
  const written = isList(value) ? value : [value]
  if (written.length > limits.childIncludes) {
    return location.refuse(`is too long (maximum is ${limits.childIncludes})`)
  }
  written.forEach((item, index) => {
    if (item !== null) checkInclude(item, location.item('include', isList(value) ? [String(index)] : []))
  })
  const items = written.filter((item) => item !== null)
  return items.length === 0 ? location.refuse("can't be blank") : items.map(dataOf)
}

function checkInclude(item: Written, location: Location): void {
  if (typeof item === 'string') return
  if (!isMap(item)) {
    location.refuse('should be a hash or a string')
    return
  }
  refuseUnknownKeys(item, INCLUDE_KEYS, location)
  if (item.has('project') && !isPresent(item.get('file'))) {
    location.refuse('must specify the file where to fetch the config from')
  }
  if (item.has('artifact') && !isPresent(item.get('job'))) {
    location.refuse('must specify the job where to fetch the artifact from')
  }
  const options = remoteOptions(item)
  if ('key' in options) location.refuse(options.message, options.key)
}

export const STRATEGIES = ['depend', 'mirror'] as const

const readStrategy = oneOf(STRATEGIES, 'should be depend or mirror')

const readInputs: Reader<ConfigData> = (value, location) =>
  isMap(value) ? dataOf(value) : location.refuse('should be a hash')

export const forwardShape = {
  attributes: { yaml_variables: readBoolean, pipeline_variables: readBoolean },
  children: {},
}

const readForward = mapOf(forwardShape)

export const childPipelineShape = {
  attributes: { strategy: readStrategy },
  children: { include: readIncludes, forward: readForward, inputs: readInputs },
}

export const projectPipelineShape = {
  attributes: { project: readName, branch: readName, strategy: readStrategy },
  children: { forward: readForward, inputs: readInputs },
}
