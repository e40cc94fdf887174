import { SPEC_INCLUDE_KEYWORDS } from '../entries/include-keywords.js'
import { invalid } from '../errors.js'
import { type ConfigMap, type ConfigValue, isMap } from '../yaml/config-value.js'
import type { LoadedConfig } from '../yaml/load-config.js'
import { located, withProblems } from '../yaml/located.js'
import { rememberMerged, rememberMoved } from '../yaml/origins.js'
import type { FileContext } from './file-context.js'
import { findFile } from './find-file.js'
import { type IncludeItem, includeItems } from './include-item.js'
import { eachFile, locationOf } from './include-location.js'
import type { IncludeWork } from './include-work.js'

/** Whether the header of a file includes other files for its inputs. */
export function hasSpecInclude({ header }: LoadedConfig): boolean {
  const spec = header?.get('spec')
  return isMap(spec) && (spec.get('include') ?? null) !== null
}

/**
 * Adds the inputs of the files in `spec:include` of the header to its own: in list order, the header's own
 * inputs last (CI language, 5.1). Throws `ConfigError`.
 */
export async function withIncludedInputs(
  loaded: LoadedConfig,
  context: FileContext,
  work: IncludeWork,
): Promise<LoadedConfig> {
  const { header } = loaded
  const spec = header?.get('spec')
  if (!header || !isMap(spec) || !hasSpecInclude(loaded)) return loaded
  return located(header, async () => {
    const included: ConfigMap[] = []
    for (const item of await itemsOf(spec, context)) included.push(await inputsOf(item, context, work))
    const merged = withInputs(spec, included)
    return { ...loaded, header: rememberMoved(new Map([...header, ['spec', merged]]), header, (key) => key) }
  })
}

async function itemsOf(spec: ConfigMap, context: FileContext): Promise<IncludeItem[]> {
  const items = await withProblems(
    () => includeItems(spec, (text) => context.expand(text)),
    (problem) => ({ ...problem, path: ['spec', ...problem.path] }),
  )
  return items
    .map(({ map, path }) => ({ map, path: ['spec', ...path] }))
    .flatMap((item) => {
      refuseKeys(item)
      return eachFile(item)
    })
}

/**
 * Inputs may come from files in a commit or at a URL; other kinds of include only assemble configurations.
 */
const KEYS: ReadonlySet<string> = new Set(SPEC_INCLUDE_KEYWORDS)

function refuseKeys({ map, path }: IncludeItem): void {
  const unknown = [...map.keys()].filter((key) => !KEYS.has(key))
  if (unknown.length === 0) return
  throw invalid(`header:spec:include config contains unknown keys: ${unknown.join(', ')}`, path)
}

async function inputsOf(item: IncludeItem, context: FileContext, work: IncludeWork): Promise<ConfigMap> {
  return withProblems(
    async () => {
      const location = locationOf(item, (text) => context.expand(text))
      work.enter()
      const found = await findFile(location, context, work.sources)
      work.found(location.form, found, context.commit)
      const loaded = await withProblems(
        () => work.load(found.text, found.file),
        (problem) => ({ ...problem, message: `\`${found.file}\`: ${problem.message}` }),
      )
      return located(loaded.content, () => inputsIn(loaded, found.file))
    },
    (problem) => (problem.location || problem.path.length > 0 ? problem : { ...problem, path: item.path }),
  )
}

function inputsIn({ header, content }: LoadedConfig, file: string): ConfigMap {
  const unknown = [...(header?.keys() ?? []), ...content.keys()].filter((key) => header || key !== 'inputs')
  if (unknown.length > 0) {
    throw invalid(`Header include file \`${file}\` contains unknown keys: ${unknown.join(', ')}`, [
      unknown[0] ?? '',
    ])
  }
  const inputs = content.get('inputs') ?? new Map<string, ConfigValue>()
  if (isMap(inputs)) return inputs
  throw invalid(`\`${file}\`: inputs config should be a hash`, ['inputs'])
}

/** The reader of the header refuses inputs that are not a map. */
function withInputs(spec: ConfigMap, included: readonly ConfigMap[]): ConfigMap {
  const own = spec.get('inputs') ?? new Map<string, ConfigValue>()
  const rest = [...spec].filter(([key]) => key !== 'include')
  if (!isMap(own)) return rememberMoved(new Map(rest), spec, (key) => key)
  const layers = [...included, own]
  refuseDoubles(layers)
  const inputs = rememberMerged(new Map(layers.flatMap((layer) => [...layer])), layers)
  return rememberMoved(new Map<string, ConfigValue>([...rest, ['inputs', inputs]]), spec, (key) => key)
}

function refuseDoubles(layers: readonly ConfigMap[]): void {
  const known = new Set<string>()
  const doubles = new Set<string>()
  for (const name of layers.flatMap((layer) => [...layer.keys()]))
    (known.has(name) ? doubles : known).add(name)
  if (doubles.size === 0) return
  throw invalid(
    `Duplicate input keys found: ${[...doubles].join(', ')}. ` +
      'Input keys must be unique across all included files and inline specifications.',
    ['spec', 'include'],
  )
}
