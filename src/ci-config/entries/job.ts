import { unknownJobInputs } from '../inputs/job-input-blocks.js'
import { limits } from '../limits.js'
import type { PlannedTrigger } from '../plan.js'
import { type ConfigMap, isMap, isPresent } from '../yaml/config-value.js'
import { readAllowFailure } from './allow-failure.js'
import { readArtifacts } from './artifacts.js'
import { readCaches } from './cache.js'
import { readCoverage } from './coverage.js'
import { readDastConfiguration } from './dast-configuration.js'
import { readEnvironment } from './environment.js'
import { readHooks } from './hooks.js'
import { readIdTokens } from './id-tokens.js'
import { readIdentity } from './identity.js'
import { readImage } from './image.js'
import { readInherit } from './inherit.js'
import { checkInputDefaults, readJobInputs } from './job-inputs.js'
import type { Location } from './location.js'
import { readMapEntry, refuseTogether } from './map-entry.js'
import { type ForeignNeedEntry, type NeedEntry, type Needs, readJobNeeds } from './needs.js'
import { checkPublish, readPages } from './pages.js'
import { readParallel } from './parallel.js'
import type { Reading } from './reader.js'
import { readRefPolicy } from './ref-policy.js'
import { readRelease } from './release.js'
import { readRetry } from './retry.js'
import { checkRules, readRules } from './rules.js'
import { checkRun, readRun } from './run.js'
import { readScript } from './scripts.js'
import { readSecrets } from './secrets.js'
import { readServices } from './services.js'
import {
  readBoolean,
  readName,
  readString,
  readStringOrStrings,
  readStrings,
  shortString,
} from './simple-values.js'
import { checkStartIn, readStartIn } from './start-in.js'
import { readTags } from './tags.js'
import { readTimeout } from './timeout.js'
import { readJobVariables } from './variables.js'
import { readWhen } from './when.js'

/** The keywords of a job; a key is missing if it was not set. A new keyword is one line here. */
export const jobShape = {
  attributes: {
    when: readWhen,
    start_in: readStartIn,
    manual_confirmation: readString,
    dependencies: readStrings,
    resource_group: shortString(limits.nameLength),
    extends: readStringOrStrings,
  },
  children: {
    before_script: readScript,
    script: readScript,
    run: readRun,
    stage: shortString(limits.nameLength),
    after_script: readScript,
    allow_failure: readAllowFailure,
    coverage: readCoverage,
    services: readServices,
    tags: readTags,
    artifacts: readArtifacts,
    cache: readCaches,
    hooks: readHooks,
    image: readImage,
    needs: readJobNeeds,
    parallel: readParallel,
    variables: readJobVariables,
    inherit: readInherit,
    interruptible: readBoolean,
    timeout: readTimeout,
    retry: readRetry,
    environment: readEnvironment,
    release: readRelease,
    pages: readPages,
    publish: readName,
    id_tokens: readIdTokens,
    secrets: readSecrets,
    only: readRefPolicy,
    except: readRefPolicy,
    rules: readRules,
    inputs: readJobInputs,
    dast_configuration: readDastConfiguration,
    identity: readIdentity,
  },
  refused: ['trigger'],
}

type Read = Reading<(typeof jobShape)['attributes'] & (typeof jobShape)['children']>

/** A job with a script, or one that starts another pipeline; a key is missing if it was not set. */
export interface JobEntry extends Omit<Read, 'needs'> {
  name: string
  /** Jobs of the same pipeline; also set if the job needs only others. */
  needs?: NeedEntry[]
  /** Jobs of other pipelines and projects. */
  foreignNeeds?: ForeignNeedEntry[]
  trigger?: PlannedTrigger
  /** Path of the project whose latest pipeline status it mirrors. */
  mirrors?: string
  /** The index of this instance of a parallel job. */
  instance?: { of: string; index: number; total: number }
}

/** Reads a map that has `script` or `run` (CI language, 3.0). */
export function readJob(name: string, map: ConfigMap, location: Location): JobEntry | null {
  const before = location.problemCount()
  const read = readMapEntry(jobShape, map, location, () => {
    checkJob(name, map, location)
    checkScript(name, map, location)
  })
  if (!read) return null
  const { needs, ...rest } = read
  const inputs = map.get('inputs')
  if (isMap(inputs)) checkInputDefaults(inputs, location)
  checkDependencies(rest.dependencies ?? [], needs, location)
  return location.problemCount() > before ? null : { name, ...rest, ...splitNeeds(needs) }
}

/** Whether the job has another pipeline instead of a script. */
export function startsPipeline({ trigger, mirrors }: JobEntry): boolean {
  return trigger !== undefined || mirrors !== undefined
}

/** The key of the job in the file. */
export function writtenName({ name, instance }: JobEntry): string {
  return instance?.of ?? name
}

export function splitNeeds(needs: Needs | undefined): Pick<JobEntry, 'needs' | 'foreignNeeds'> {
  if (!needs) return {}
  return { needs: needs.jobs, ...(needs.foreign.length > 0 && { foreignNeeds: needs.foreign }) }
}

/** Keys that exclude one another (CI language, 3.0). */
const EXCLUSIVE = [
  ['script', 'trigger'],
  ['run', 'trigger'],
  ['script', 'run'],
  ['before_script', 'run'],
  ['after_script', 'run'],
  // In the protocol, steps replace the scripts, including the one that creates the release.
  ['release', 'run'],
] as const

const NOT_WITH_RULES = ['only', 'except', 'start_in']

/** Checks that apply to every kind of job. */
export function checkJob(name: string, map: ConfigMap, location: Location): void {
  const isWritten = (key: string) => (map.get(key) ?? null) !== null
  for (const pair of EXCLUSIVE) refuseTogether(map, pair, location)
  const unruled = isWritten('rules') ? NOT_WITH_RULES.filter(isWritten) : []
  if (unruled.length > 0) location.refuse(`key may not be used with \`rules\`: ${unruled.join(', ')}`)
  checkJobName(name, location)
  checkRules(map, location)
}

function checkScript(name: string, map: ConfigMap, location: Location): void {
  if (map.has('script') && !isPresent(map.get('script')))
    location.attribute('script').refuse("can't be blank")
  checkRun(map, location)
  checkStartIn(map, location)
  checkPublish(name, map, location)
  checkAllowFailure(map, location)
  checkInputs(map, location)
}

function checkInputs(map: ConfigMap, location: Location): void {
  const inputs = map.get('inputs')
  if (!isMap(inputs)) return
  const unknown = unknownJobInputs(map, inputs)
  if (unknown.length > 0) {
    location
      .suggesting({ words: unknown, among: inputs.keys() })
      .refuse(`refers to unknown inputs: ${unknown.join(', ')}`)
  }
}

/** A wrong type is reported at the job; problems inside a map are reported at the keyword. */
function checkAllowFailure(map: ConfigMap, location: Location): void {
  const written = map.get('allow_failure') ?? null
  if (written === null || typeof written === 'boolean' || isMap(written)) return
  location.attribute('allow_failure').refuse('should be a hash or a boolean value')
}

function checkJobName(name: string, location: Location): void {
  if (name.trim() === '') location.attribute('name').refuse("can't be blank")
  if (name.length > limits.nameLength) {
    location.attribute('name').refuse(`is too long (maximum is ${limits.nameLength} characters)`)
  }
}

/** With `needs`, `dependencies` may only name needed jobs (CI language, 3.9). */
function checkDependencies(dependencies: string[], needs: Needs | undefined, location: Location): void {
  if (dependencies.length === 0 || !needs) return
  if (needs.jobs.length === 0) {
    if (needs.foreign.length > 0) {
      location.attribute('needs').refuse('corresponding to dependencies must be from the same pipeline')
    }
    return
  }
  const needed = new Set(needs.jobs.map(({ name }) => name))
  const missing = dependencies.filter((name) => !needed.has(name))
  if (missing.length === 0) return
  location.attribute('dependencies').refuse(`the ${missing.join(', ')} should be part of needs`)
}
