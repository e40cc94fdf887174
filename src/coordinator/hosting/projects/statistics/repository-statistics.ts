import { unreadableObject } from '../../../../git/errors.js'
import { runGit } from '../../../../git/run-git.js'
import { gitRecords } from '../../../../git/stream-git.js'
import { licenseKeyOf } from '../../licenses.js'
import type { Repositories } from '../../repositories/repositories.js'
import { sizeOf } from '../../repositories/size-of.js'
import { languageOf } from './languages.js'

/** Size of a repository, as of its default branch. */
export interface ProjectSize {
  head_sha: string | null
  commit_count: number
  /** Size in bytes. */
  repository_size: number
  readme_path: string | null
  license_path: string | null
  license_key: string | null
  languages: { name: string; bytes: number }[]
}

export type StatisticsRepositories = Pick<Repositories, 'path' | 'withSlot' | 'resolveRef' | 'readFile'>

/**
 * Computes the statistics with git, in the pool `reading` because clients wait for them. The tree is
 * streamed, so memory use does not depend on the size of the repository.
 */
export async function readRepositoryStatistics(
  repositories: StatisticsRepositories,
  projectId: number,
  defaultBranch: string | null,
): Promise<ProjectSize> {
  const git = <T>(work: (gitDir: string) => Promise<T>): Promise<T> =>
    repositories.withSlot(projectId, 'reading', () => work(repositories.path(projectId)))
  const repository_size = await git(sizeOf)
  const head = defaultBranch === null ? undefined : await headOf(repositories, projectId, defaultBranch)
  if (head === undefined) return { ...NOTHING, repository_size }
  const { readme, license, languages } = await git((gitDir) => readTree(gitDir, head))
  const text = license === undefined ? undefined : await repositories.readFile(projectId, head, license)
  return {
    head_sha: head,
    commit_count: await git((gitDir) => countCommits(gitDir, head)),
    repository_size,
    readme_path: readme ?? null,
    license_path: license ?? null,
    license_key: (text === undefined ? undefined : licenseKeyOf(text)) ?? null,
    languages: [...languages].map(([name, bytes]) => ({ name, bytes })),
  }
}

const NOTHING: Omit<ProjectSize, 'repository_size'> = {
  head_sha: null,
  commit_count: 0,
  readme_path: null,
  license_path: null,
  license_key: null,
  languages: [],
}

/** Commit of the default branch. */
export async function headOf(
  repositories: Pick<StatisticsRepositories, 'resolveRef'>,
  projectId: number,
  branch: string,
): Promise<string | undefined> {
  return (await repositories.resolveRef(projectId, `refs/heads/${branch}`))?.sha
}

interface TreeFacts {
  readme: string | undefined
  license: string | undefined
  languages: Map<string, number>
}

const README = /^readme(\.[a-z]+)?$/i
const LICENSE = /^(licen[cs]e|copying|unlicense)(\.[a-z]+)?$/i

async function readTree(gitDir: string, sha: string): Promise<TreeFacts> {
  const facts: TreeFacts = { readme: undefined, license: undefined, languages: new Map() }
  // Without -z git quotes unusual names, so each stays on one line; their extension is then not recognized.
  for await (const line of gitRecords(['--git-dir', gitDir, 'ls-tree', '-r', '-l', '--full-tree', sha], {
    separator: '\n',
  }))
    addFile(facts, line)
  return facts
}

/**
 * `100644 blob <id>     <size>\t<path>`; symbolic links and submodules have no language. Throws `GitError` for a file whose
 * size git cannot read.
 */
function addFile(facts: TreeFacts, line: string): void {
  const damaged = /^100\d{3} blob ([0-9a-f]+) +BAD\t/.exec(line)?.[1]
  if (damaged !== undefined) throw unreadableObject(damaged)
  const parts = /^100\d{3} blob [0-9a-f]+ +(\d+)\t(.+)$/.exec(line)
  const path = parts?.[2]
  if (path === undefined) return
  if (README.test(path)) facts.readme ??= path
  if (LICENSE.test(path)) facts.license ??= path
  const language = languageOf(path)
  if (language === undefined) return
  facts.languages.set(language, (facts.languages.get(language) ?? 0) + Number(parts?.[1]))
}

async function countCommits(gitDir: string, sha: string): Promise<number> {
  return Number(await runGit(['--git-dir', gitDir, 'rev-list', '--count', '--end-of-options', sha]))
}
