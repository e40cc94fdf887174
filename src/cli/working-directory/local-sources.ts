import { readdir, readFile, realpath, stat } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'

import { invalid } from '../../ci-config/errors.js'
import { limits } from '../../ci-config/limits.js'
import type { ComponentProblem, ConfigSources, ProjectCommit, RemoteText } from '../../ci-config/sources.js'
import { INSTALLED_TEMPLATES } from '../../coordinator/hosting/templates/folder-templates.js'
import { includableTemplates } from '../../coordinator/hosting/templates/templates.js'
import { GitError } from '../../git/errors.js'
import { runGit } from '../../git/run-git.js'
import type { OutsideFiles } from './outside/outside-files.js'
import type { WorkingDirectory } from './working-directory.js'

const TEMPLATES = includableTemplates(INSTALLED_TEMPLATES)

/**
 * The sources of a CI file in the working directory, including uncommitted files. Files of other projects and of
 * the network come from `outside`.
 */
export class LocalSources implements ConfigSources {
  /** Texts that were read, by the path that problems use for them. */
  readonly texts = new Map<string, string>()

  /** `readArtifact` reads artifacts of the parent pipeline. Without it there are none. */
  constructor(
    private readonly directory: WorkingDirectory,
    private readonly outside: OutsideFiles,
    readonly readArtifact: ConfigSources['readArtifact'] = () => Promise.resolve(undefined),
  ) {}

  async readFile(commit: ProjectCommit, path: string): Promise<string | undefined> {
    if (!this.isOwn(commit)) return this.outside.readFile(commit, path)
    const text =
      commit.sha === this.directory.commit.id ? await this.readWorking(path) : await this.readAt(commit, path)
    if (text !== undefined) this.texts.set(path, text)
    return text
  }

  async listFiles(of: ProjectCommit): Promise<readonly string[]> {
    if (!this.isOwn(of)) return this.outside.listFiles(of)
    const { sha } = of
    const { root, isRepository, commit } = this.directory
    if (!isRepository) return filesBelow(root)
    if (sha !== commit.id) return this.paths('ls-tree', '-r', '-z', '--name-only', sha)
    const deleted = new Set(await this.paths('ls-files', '-z', '--deleted'))
    const present = await this.paths('ls-files', '-z', '--cached', '--others', '--exclude-standard')
    return present.filter((path) => !deleted.has(path))
  }

  async findProject(
    path: string,
    ref: string | undefined,
  ): Promise<ProjectCommit | 'not-found' | 'no-such-ref'> {
    const { projectPath, commit } = this.directory
    if (path.toLowerCase() !== projectPath.toLowerCase()) return this.outside.findProject(path, ref)
    if (ref === undefined) return { projectPath, sha: commit.id }
    const sha = await this.resolve(ref)
    return sha === undefined ? 'no-such-ref' : { projectPath, sha }
  }

  /** Nothing is pushed: there is no list of changes, so rules on changes match (CI language, 7.4). */
  changedFiles(): Promise<undefined> {
    return Promise.resolve(undefined)
  }

  async changedFilesSince(ref: string): Promise<readonly string[] | undefined> {
    const since = await this.resolve(ref)
    const base = since === undefined ? undefined : await this.ask('merge-base', since, 'HEAD')
    if (base === undefined) return undefined
    const differing = await this.paths('diff', '--name-only', '--no-renames', '-z', base.trim(), '--')
    return [...differing, ...(await this.paths('ls-files', '-z', '--others', '--exclude-standard'))]
  }

  fetchRemote(url: string, maxAgeSeconds?: number): Promise<RemoteText> {
    return this.outside.fetchRemote(url, maxAgeSeconds)
  }

  readonly readTemplate: ConfigSources['readTemplate'] = TEMPLATES.readTemplate
  readonly listTemplates = TEMPLATES.listTemplates

  findComponentVersion(path: string, version: string): Promise<ProjectCommit | ComponentProblem> {
    return this.outside.findComponentVersion(path, version)
  }

  private isOwn({ projectPath }: ProjectCommit): boolean {
    return projectPath.toLowerCase() === this.directory.projectPath.toLowerCase()
  }

  /** Undefined for a path that is not a file, or is outside the directory. */
  private async readWorking(path: string): Promise<string | undefined> {
    const { root } = this.directory
    const inside = relative(await realpath(root), await realpath(join(root, path)).catch(() => ''))
    if (path.includes('\0') || inside === '' || inside.split(sep)[0] === '..') return undefined
    const file = join(root, path)
    const { size, isFile } = await stat(file).then((found) => ({ size: found.size, isFile: found.isFile() }))
    if (!isFile) return undefined
    if (size > limits.yamlBytes) throw invalid('The provided YAML is too big')
    return readFile(file, 'utf8')
  }

  private async readAt({ sha }: ProjectCommit, path: string): Promise<string | undefined> {
    return this.ask('cat-file', 'blob', `${sha}:${path}`)
  }

  /** A commit. Branches of `origin` are used if there is no local branch with the name. */
  private async resolve(ref: string): Promise<string | undefined> {
    for (const name of [ref, `origin/${ref}`]) {
      const sha = await this.ask('rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`)
      if (sha !== undefined) return sha.trim()
    }
    return undefined
  }

  private async paths(...args: string[]): Promise<string[]> {
    const output = await runGit(args, { cwd: this.directory.root })
    return [...new Set(output.split('\0').filter((path) => path !== ''))]
  }

  /** Undefined if git reports none. */
  private async ask(...args: string[]): Promise<string | undefined> {
    try {
      return await runGit(args, { cwd: this.directory.root })
    } catch (error) {
      if (error instanceof GitError) return undefined
      throw error
    }
  }
}

async function filesBelow(root: string): Promise<string[]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .sort()
}
