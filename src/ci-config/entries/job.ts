import { limits } from '../limits.js'
import { type ConfigMap, isMap, isPresent } from '../yaml/config-value.js'
import { readAllowFailure } from './allow-failure.js'
import { readArtifacts } from './artifacts.js'
import { readCaches } from './cache.js'
import { readCoverage } from './coverage.js'
import { readEnvironment } from './environment.js'
import { readHooks } from './hooks.js'
import { readIdTokens } from './id-tokens.js'
import { readImage } from './image.js'
import { readInherit } from './inherit.js'
import { readMapEntry, refuseTogether } from './map-entry.js'
import { readNeeds } from './needs.js'
import { checkPublish, readPages } from './pages.js'
import type { Place } from './place.js'
import type { Reading } from './reader.js'
import { readRefPolicy } from './ref-policy.js'
import { readRelease } from './release.js'
import { readRetry } from './retry.js'
import { readRules } from './rules.js'
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

/** A job as it is written, each keyword read; what is missing was not written. A new keyword is one line here. */
const jobShape = {
  attributes: {
    when: readWhen,
    start_in: readStartIn,
    manual_confirmation: readString,
    dependencies: readStrings,
    publish: readName,
    resource_group: shortString(limits.nameLength),
    extends: readStringOrStrings,
  },
  children: {
    before_script: readScript,
    script: readScript,
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
    needs: readNeeds,
    variables: readJobVariables,
    inherit: readInherit,
    interruptible: readBoolean,
    timeout: readTimeout,
    retry: readRetry,
    environment: readEnvironment,
    release: readRelease,
    pages: readPages,
    id_tokens: readIdTokens,
    secrets: readSecrets,
    only: readRefPolicy,
    except: readRefPolicy,
    rules: readRules,
  },
  unsupported: ['dast_configuration', 'identity', 'inputs', 'parallel', 'run', 'trigger'],
}

export type JobEntry = { name: string } & Reading<
  (typeof jobShape)['attributes'] & (typeof jobShape)['children']
>

/** Reads a map that has `script` or `run` (CI language, 3.0). */
export function readJob(name: string, map: ConfigMap, place: Place): JobEntry | null {
  const before = place.problemCount()
  const read = readMapEntry(jobShape, map, place, (written) => checkJob(name, written, place))
  if (!read) return null
  checkDependencies(read, place)
  return place.problemCount() > before ? null : { name, ...read }
}

/** Keys that exclude one another (CI language, 3.0). */
const EXCLUSIVE = [
  ['script', 'trigger'],
  ['run', 'trigger'],
  ['script', 'run'],
  ['before_script', 'run'],
  ['after_script', 'run'],
] as const

const NOT_WITH_RULES = ['only', 'except', 'start_in']

function checkJob(name: string, map: ConfigMap, place: Place): void {
  const isWritten = (key: string) => (map.get(key) ?? null) !== null
  for (const pair of EXCLUSIVE) refuseTogether(map, pair, place)
  const unruled = isWritten('rules') ? NOT_WITH_RULES.filter(isWritten) : []
  if (unruled.length > 0) place.refuse(`key may not be used with \`rules\`: ${unruled.join(', ')}`)
  if (map.has('script') && !isPresent(map.get('script'))) place.attribute('script').refuse("can't be blank")
  checkJobName(name, place)
  checkStartIn(map, place)
  checkPublish(name, map, place)
  checkAllowFailure(map, place)
}

/** What it may be is told at the job; what is inside a map, at the keyword. */
function checkAllowFailure(map: ConfigMap, place: Place): void {
  const written = map.get('allow_failure') ?? null
  if (written === null || typeof written === 'boolean' || isMap(written)) return
  place.attribute('allow_failure').refuse('should be a hash or a boolean value')
}

export function checkJobName(name: string, place: Place): void {
  if (name.trim() === '') place.attribute('name').refuse("can't be blank")
  if (name.length > limits.nameLength) {
    place.attribute('name').refuse(`is too long (maximum is ${limits.nameLength} characters)`)
  }
}

/** With `needs`, only artifacts of needed jobs can be asked for (CI language, 3.9). */
function checkDependencies({ dependencies = [], needs }: Omit<JobEntry, 'name'>, place: Place): void {
  if (!needs || needs.length === 0) return
  const needed = new Set(needs.map(({ name }) => name))
  const missing = dependencies.filter((name) => !needed.has(name))
  if (missing.length === 0) return
  place.attribute('dependencies').refuse(`the ${missing.join(', ')} should be part of needs`)
}
