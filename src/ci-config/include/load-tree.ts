import { invalid, type Problem } from '../errors.js'
import { configValueOf } from '../inputs/input-types.js'
import { limits } from '../limits.js'
import type { PipelineContext } from '../plan.js'
import type { ConfigOrigin, ConfigSources } from '../sources.js'
import type { ConfigMap, ConfigValue } from '../yaml/config-value.js'
import { withProblems } from '../yaml/located.js'
import { FileContext } from './file-context.js'
import { DEFAULT_CONFIG_PATH } from './find-config.js'
import { type IncludedFile, IncludeWork } from './include-work.js'
import { contentOf, type OnInputs } from './load-file.js'
import { resolveIncludes } from './resolve-includes.js'
import { withIncludedInputs } from './spec-include.js'

/** A configuration as one map, and the files that it includes. */
export interface ConfigTree {
  content: ConfigMap
  included: IncludedFile[]
}

/** Receives what the files have that is valid, but probably not meant. */
export type OnWarnings = (warnings: readonly Problem[]) => void

/**
 * Reads a file and everything that it includes (CI language, 1.1, steps 2 to 4). `onInputs` receives the inputs of the
 * file itself, `onWarnings` the warnings of all files, also if one is invalid. Throws `ConfigError`.
 */
export async function loadTree(
  text: string,
  sources: ConfigSources,
  context: PipelineContext,
  onInputs?: OnInputs,
  onWarnings: OnWarnings = () => undefined,
): Promise<ConfigTree> {
  const origin: ConfigOrigin = context.origin ?? { file: DEFAULT_CONFIG_PATH }
  const work = new IncludeWork(sources, await sources.maxIncludes?.())
  const loading = async (): Promise<ConfigMap> => {
    const file = FileContext.of(context, origin)
    if (origin.commit) work.recordFile(origin.commit, origin.file)
    work.count(text)
    const loaded = await withIncludedInputs(work.load(text, origin.file), file, work)
    const content = await contentOf(
      loaded,
      { context: file },
      pipelineInputs(context),
      work.patterns,
      onInputs,
    )
    return resolveIncludes(content, file, work)
  }
  const hide = hiding(context)
  const content = await withProblems(
    () => work.withinTime(loading()),
    (problem) => withoutSecrets(problem, hide),
  ).finally(() => onWarnings(work.warnings.map((warning) => withoutSecrets(warning, hide))))
  return { content, included: work.included.map((included) => shown(included, hide)) }
}

function pipelineInputs({ inputs = {} }: PipelineContext): ConfigValue {
  const given = Object.entries(inputs)
  if (given.length > limits.pipelineInputs) {
    throw invalid(`There cannot be more than ${limits.pipelineInputs} inputs`)
  }
  return new Map(given.map(([name, value]) => [name, configValueOf(value)]))
}

const MASK = '[MASKED]'

/** Hides the values of masked variables in URLs (CI language, 4.6). */
function hiding({ variables }: PipelineContext): (text: string) => string {
  const secrets = [...variables.settings, ...variables.pipeline]
    .filter(({ masked, value }) => masked && value !== '')
    .map(({ value }) => value)
  return (text) => secrets.reduce((left, secret) => left.replaceAll(secret, MASK), text)
}

function shown({ file, place, ...rest }: IncludedFile, hide: (text: string) => string): IncludedFile {
  return { ...rest, file: hide(file), ...(place && { place: { ...place, path: hide(place.path) } }) }
}

function withoutSecrets(
  { message, path, location, suggest }: Problem,
  hide: (text: string) => string,
): Problem {
  return {
    message: hide(message),
    path,
    ...(location && { location: { ...location, file: hide(location.file) } }),
    ...(suggest && { suggest: { ...suggest, words: suggest.words.map(hide) } }),
  }
}
