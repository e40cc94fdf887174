import { ConfigError, invalid, type Problem } from '../errors.js'
import { mergeMaps } from '../reuse/merge-maps.js'
import type { ConfigMap } from '../yaml/config-value.js'
import type { LoadedConfig } from '../yaml/load-config.js'
import { located, withProblems } from '../yaml/located.js'
import { rememberCopy } from '../yaml/origins.js'
import type { FileContext } from './file-context.js'
import type { FoundFile } from './found-file.js'
import { type IncludeItem, includeItems } from './include-item.js'
import { eachFile, withValue } from './include-location.js'
import { isIncluded } from './include-rules.js'
import type { IncludeWork } from './include-work.js'
import { contentOf } from './load-file.js'
import { repositoryPath } from './repository-path.js'
import { RequestedFile } from './requested-file.js'
import { hasSpecInclude, withIncludedInputs } from './spec-include.js'
import { hasWildcard, wildcardMatcher } from './wildcard.js'

/** Files of one list that are on their way together. */
const AT_ONCE = 4

/**
 * The content of a file merged over everything that it includes: in list order, each file with its own
 * includes, and the keys of the file itself on top (CI language, 4.2). Throws `ConfigError` with the problems
 * of all includes.
 */
export async function resolveIncludes(
  content: ConfigMap,
  context: FileContext,
  work: IncludeWork,
): Promise<ConfigMap> {
  if (!content.has('include')) return content
  return located(content, async () => {
    const items = await expandedItems(content, context, work)
    const contents = await loadAll(items, context, work)
    return mergeAll([...contents, withoutInclude(content)], work)
  })
}

/** Entries whose rules match, one for each file (CI language, 4.2, steps 1 to 3). */
async function expandedItems(
  content: ConfigMap,
  context: FileContext,
  work: IncludeWork,
): Promise<IncludeItem[]> {
  const items: IncludeItem[] = []
  for (const item of includeItems(content, (text) => context.expand(text))) {
    if (!(await isIncluded(item, context, work.files))) continue
    for (const one of eachFile(item)) items.push(...(await matchingFiles(one, context, work)))
    if (items.length > work.mostIncludes) break
  }
  return items
}

/** A local path with `*` selects the matching files of the commit, except those that are already included. */
async function matchingFiles(
  item: IncludeItem,
  context: FileContext,
  work: IncludeWork,
): Promise<IncludeItem[]> {
  const written = item.map.get('local')
  const { commit } = context
  if (typeof written !== 'string' || !commit) return [item]
  if (!hasWildcard(written)) {
    work.recordFile(commit, repositoryPath(context.expand(written)))
    return [item]
  }
  const matches = wildcardMatcher(repositoryPath(written))
  if (!matches) throw invalid(`Local file \`${written.slice(0, 100)}…\` is too long!`, item.path)
  const files = (await work.sources.listFiles(commit)).filter(matches)
  return files.filter((file) => work.recordFile(commit, file)).map((file) => withValue(item, 'local', file))
}

/**
 * Processes every file, so that all problems are reported together. While one is being fetched, the following
 * ones are prefetched; they are processed in order.
 */
async function loadAll(items: IncludeItem[], context: FileContext, work: IncludeWork): Promise<ConfigMap[]> {
  const contents: ConfigMap[] = []
  const problems: Problem[] = []
  const files = items.map((item) => new RequestedFile(item, context, work.sources))
  for (const [index, item] of items.entries()) {
    const ahead = Math.min(AT_ONCE, work.room())
    for (const file of files.slice(index, index + ahead)) file.prefetch()
    try {
      contents.push(await loadOne(item, files[index]!, work))
    } catch (error) {
      if (work.isOver || !(error instanceof ConfigError)) throw error
      problems.push(...error.problems)
    }
  }
  if (problems.length > 0) throw new ConfigError(problems)
  return contents
}

async function loadOne(item: IncludeItem, asked: RequestedFile, work: IncludeWork): Promise<ConfigMap> {
  return withProblems(
    async () => {
      const { form } = asked.location()
      work.enter()
      const found = await asked.find()
      work.found(form, found, asked.context.commit)
      return loadFound(found, item, asked.context, work)
    },
    // A problem of a whole file is reported at its include.
    (problem) => (problem.location || problem.path.length > 0 ? problem : { ...problem, path: item.path }),
  )
}

async function loadFound(
  found: FoundFile,
  { map }: IncludeItem,
  includedBy: FileContext,
  work: IncludeWork,
): Promise<ConfigMap> {
  const { file } = found
  const content = await withProblems(
    async () => {
      const loaded = await withInputsOf(found, includedBy, work)
      return contentOf(loaded, found, map.get('inputs') ?? null, work.patterns)
    },
    (problem) => ({ ...problem, message: `\`${file}\`: ${problem.message}` }),
  )
  if (content.size === 0) throw invalid(`Included file \`${file}\` does not have valid YAML syntax!`)
  return resolveIncludes(content, found.context, work)
}

/**
 * The text of a file with everything that its header includes. Only the first file of a pipeline may have
 * such a header. For a child pipeline, whose text is a list of includes, these are the files in that list.
 */
async function withInputsOf(
  { file, text, context, component }: FoundFile,
  includedBy: FileContext,
  work: IncludeWork,
): Promise<LoadedConfig> {
  const loaded = work.load(text, file)
  if (!hasSpecInclude(loaded)) return loaded
  if (includedBy.mayIncludeArtifacts && !component) return withIncludedInputs(loaded, context, work)
  const kind = component ? 'components' : 'included configuration files'
  throw invalid(`cannot use \`spec:include\`. This keyword is not supported in ${kind}`)
}

function mergeAll(contents: ConfigMap[], work: IncludeWork): ConfigMap {
  const [first = new Map<string, never>(), ...rest] = contents
  return rest.reduce((below: ConfigMap, above) => mergeMaps(below, above, () => work.countEntry()), first)
}

function withoutInclude(content: ConfigMap): ConfigMap {
  return rememberCopy(new Map([...content].filter(([key]) => key !== 'include')), content)
}
