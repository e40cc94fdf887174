import { sha256Base64 } from '../../lib/sha256.js'
import { invalid } from '../errors.js'
import type { ConfigSources, ProjectCommit } from '../sources.js'
import { didYouMean, type Suggestion } from '../suggestion.js'
import type { FileContext } from './file-context.js'
import { findComponent } from './find-component.js'
import type { FoundFile } from './found-file.js'
import { isWebAddress } from './include-item.js'
import type { IncludeLocation } from './include-location.js'
import { repositoryPath, whyNoRepositoryPath } from './repository-path.js'

const TEMPLATE_ENDING = '.gitlab-ci.yml'

/**
 * The text of one included file (CI language, 4.2, step 5). Throws `ConfigError` with the messages of its kind (CI
 * language, 4.6).
 */
export async function findFile(
  location: IncludeLocation,
  context: FileContext,
  sources: ConfigSources,
): Promise<FoundFile> {
  switch (location.form) {
    case 'local':
      return findLocal(location.file, context, sources)
    case 'project':
      return findInProject(location, context, sources)
    case 'remote':
      return findRemote(location, context, sources)
    case 'template':
      return findTemplate(location.name, context, sources)
    case 'component':
      return findComponent(location.address, context, sources)
    case 'artifact':
      return findArtifact(location, context, sources)
  }
}

async function findLocal(file: string, context: FileContext, sources: ConfigSources): Promise<FoundFile> {
  const { commit } = context
  if (!commit) throw invalid(`Local file \`${file}\` does not have project!`)
  const { path, text } = await readFile(commit, file, sources, `Local file \`${file}\``)
  if (text.trim() === '') throw invalid(`Local file \`${file}\` is empty!`)
  return { file, text, context: context.inCommit(commit), place: { commit, path } }
}

/** The sources determine which files exist; paths that no commit can contain are not requested. */
async function readFile(
  commit: ProjectCommit,
  file: string,
  sources: ConfigSources,
  called: string,
): Promise<{ path: string; text: string }> {
  const why = whyNoRepositoryPath(file)
  if (why !== undefined) throw invalid(`${called} does not exist! ${why}`)
  const path = repositoryPath(file)
  const text = await sources.readFile(commit, path)
  if (text === undefined) throw invalid(`${called} does not exist!`)
  return { path, text }
}

async function findInProject(
  { project, ref, file }: IncludeLocation & { form: 'project' },
  context: FileContext,
  sources: ConfigSources,
): Promise<FoundFile> {
  const commit = await sources.findProject(project, ref)
  if (commit === 'not-found') {
    throw invalid(
      `Project \`${project}\` not found or access denied! ` +
        'Make sure any includes in the pipeline configuration are correctly defined.',
    )
  }
  if (commit === 'no-such-ref')
    throw invalid(`Project \`${project}\` reference \`${ref ?? 'HEAD'}\` does not exist!`)
  const { path, text } = await readFile(commit, file, sources, `Project \`${project}\` file \`${file}\``)
  if (text.trim() === '') throw invalid(`Project \`${project}\` file \`${file}\` is empty!`)
  return { file, text, context: context.inCommit(commit), place: { commit, path } }
}

async function findRemote(
  { url, integrity, maxAgeSeconds }: IncludeLocation & { form: 'remote' },
  context: FileContext,
  sources: ConfigSources,
): Promise<FoundFile> {
  if (!isWebAddress(url)) throw invalid(`Remote file \`${url}\` does not have a valid address!`)
  if (!/.\.ya?ml$/i.test(new URL(url).pathname)) {
    throw invalid(`Included file \`${url}\` does not have YAML extension!`)
  }
  const fetched = await sources.fetchRemote(url, maxAgeSeconds)
  if (fetched.kind === 'failed')
    throw invalid(`Remote file \`${url}\` could not be fetched ${fetched.reason}!`)
  const text = fetched.text.toString('utf8')
  if (text.trim() === '')
    throw invalid(`Remote file \`${url}\` could not be fetched because the response was empty!`)
  if (integrity !== undefined && sha256Base64(fetched.text) !== integrity) {
    throw invalid(`Remote file \`${url}\` failed integrity check!`)
  }
  return { file: url, text, context: context.detached() }
}

async function findTemplate(name: string, context: FileContext, sources: ConfigSources): Promise<FoundFile> {
  const text = await sources.readTemplate(name)
  if (text === undefined || text.trim() === '') {
    const suggest = hintFor(name, (await sources.listTemplates?.()) ?? [])
    throw invalid(`Included file \`${name}\` is empty or does not exist!`, [], undefined, suggest)
  }
  return { file: name, text, context: context.detached() }
}

/** A similar template, or all that exist; undefined if there are none. */
function hintFor(name: string, existing: readonly string[]): Suggestion | undefined {
  if (existing.length === 0) return undefined
  // Without the ending, which would make short names resemble each other.
  const short = (template: string): string => template.slice(0, -TEMPLATE_ENDING.length)
  const [word, among] = [short(name), existing.map(short)]
  const all = `Templates that exist, each with the ending ${TEMPLATE_ENDING}: ${among.join(', ')}`
  return { words: [word], among, hint: didYouMean({ words: [word], among }) ?? all }
}

async function findArtifact(
  { job, file }: IncludeLocation & { form: 'artifact' },
  context: FileContext,
  sources: ConfigSources,
): Promise<FoundFile> {
  if (!context.mayIncludeArtifacts) {
    throw invalid('Including configs from artifacts is only allowed when triggering child pipelines')
  }
  const text = await sources.readArtifact(job, file)
  if (text === undefined)
    throw invalid(`Job \`${job}\` not found in parent pipeline or does not have artifacts!`)
  if (text.trim() === '') throw invalid(`File \`${file}\` is empty!`)
  const { commit } = context
  return { file, text, context: commit ? context.inCommit(commit) : context.detached() }
}
