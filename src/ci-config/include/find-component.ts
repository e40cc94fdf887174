import { invalid } from '../errors.js'
import type { ComponentProblem, ConfigSources, ProjectCommit, RepositoryFile } from '../sources.js'
import type { FileContext } from './file-context.js'
import type { FoundFile } from './found-file.js'

interface Address {
  projectPath: string
  name: string
  version: string
}

/** The file of a component at one of its versions (CI language, 4.5). Throws `ConfigError`. */
export async function findComponent(
  written: string,
  context: FileContext,
  sources: ConfigSources,
): Promise<FoundFile> {
  const refuse = (message: string) => invalid(`Component '${written}' - ${message}`)
  if (!context.commit) throw invalid('Unable to use components outside of a project context')
  const address = parseAddress(written, context.host)
  if (!address) throw refuse('the component path is not supported')
  const commit = await sources.findComponentVersion(address.projectPath, address.version)
  if (typeof commit === 'string') throw refuse(describeProblem(commit, address))
  const found = await readComponent(sources, commit, address.name)
  if (!found) throw refuse('content not found')
  return {
    file: written,
    ...found,
    context: context.inCommit(commit),
    component: factsOf(address, commit),
  }
}

/** `<host>/<project path>/<name>@<version>` of this server. */
function parseAddress(written: string, host: string | undefined): Address | undefined {
  const start = host === undefined ? undefined : `${host}/`.toLowerCase()
  if (start === undefined || !written.toLowerCase().startsWith(start)) return undefined
  const parts = /^(?<projectPath>[^@]+)\/(?<name>[^@/]+)@(?<version>.+)$/.exec(
    written.slice(start.length),
  )?.groups
  if (!parts) return undefined
  return { projectPath: parts.projectPath ?? '', name: parts.name ?? '', version: parts.version ?? '' }
}

async function readComponent(
  sources: ConfigSources,
  commit: ProjectCommit,
  name: string,
): Promise<{ text: string; place: RepositoryFile } | undefined> {
  for (const path of [`templates/${name}.yml`, `templates/${name}/template.yml`]) {
    const text = await sources.readFile(commit, path)
    if (text !== undefined) return { text, place: { commit, path } }
  }
  return undefined
}

function describeProblem(problem: ComponentProblem, { version }: Address): string {
  switch (problem) {
    case 'not-found':
      return "project does not exist or you don't have sufficient permissions"
    case 'no-such-version':
      return 'content not found'
    case 'not-in-catalog': {
      const kind = version === '~latest' ? '~latest version reference' : 'partial semantic version reference'
      return `The ${kind} is not supported for non-catalog resources. Use a tag, branch, or commit SHA instead.`
    }
  }
}

function factsOf({ name, version }: Address, { sha }: ProjectCommit): ReadonlyMap<string, string> {
  return new Map([
    ['name', name],
    ['sha', sha],
    ['version', version],
    ['reference', version],
  ])
}
