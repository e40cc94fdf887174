import { invalid } from '../../../ci-config/errors.js'
import type { ComponentProblem, ProjectCommit, RemoteText } from '../../../ci-config/sources.js'
import { isVersionRange, newestTag } from '../../../coordinator/ci/engine/create/component-version.js'
import type { EgressClient } from '../../../coordinator/egress/egress-client.js'
import { RemoteFiles } from '../../../coordinator/egress/remote-files.js'
import { ServerUnavailableError } from './errors.js'
import type { KeptCopies } from './kept-copies.js'
import type { ServerClient } from './server-client.js'

export interface OutsideOptions {
  client: EgressClient
  copies: KeptCopies
  /** Undefined if the repository has no remote, and none was named. */
  server: ServerClient | undefined
  /** Whether only copies are used. */
  isOffline: boolean
  warn: (message: string) => void
}

/** Files of other projects, of components and at URLs, each kept for the next time. */
export class OutsideFiles {
  private readonly remote: RemoteFiles

  constructor(private readonly options: OutsideOptions) {
    this.remote = new RemoteFiles(options.client)
  }

  /** A copy is used offline, while it is fresh, and if the address does not respond. */
  async fetchRemote(url: string, maxAgeSeconds = 0): Promise<RemoteText> {
    const { copies, isOffline, warn } = this.options
    const kept = await copies.read(url)
    const isFresh = kept && Date.now() - kept.fetchedAt < maxAgeSeconds * 1000
    if (kept && (isOffline || isFresh)) return { kind: 'text', text: Buffer.from(kept.text) }
    if (isOffline) return { kind: 'failed', reason: `because ${NO_COPY}` }
    const fetched = await this.remote.fetch(url)
    if (fetched.kind === 'text') await copies.keep(url, fetched.text.toString('utf8'))
    if (fetched.kind === 'text' || !kept || /HTTP code/.test(fetched.reason)) return fetched
    warn(`${url} could not be fetched ${fetched.reason}: the copy of ${formatTime(kept.fetchedAt)} is used`)
    return { kind: 'text', text: Buffer.from(kept.text) }
  }

  async findProject(
    path: string,
    ref: string | undefined,
  ): Promise<ProjectCommit | 'not-found' | 'no-such-ref'> {
    const project = await this.project(path)
    if (!project) return this.notFound(path)
    const wanted = ref ?? project.default_branch
    return wanted === null ? 'no-such-ref' : this.commit(project, wanted)
  }

  /** Version tags count as published versions, as on a coordinator (CI language, 4.5). */
  async findComponentVersion(path: string, version: string): Promise<ProjectCommit | ComponentProblem> {
    const project = await this.project(path)
    if (!project) return this.notFound(path)
    const at = `projects/${encodeURIComponent(project.path_with_namespace)}/repository/tags`
    let exact = version
    if (isVersionRange(version)) {
      const tags = await this.json<{ name: string }[]>(at, (server) => server.readList(at))
      const newest = newestTag(
        (tags ?? []).map(({ name }) => name),
        version,
      )
      if (newest === undefined) return 'not-in-catalog'
      exact = newest
    }
    const tagged = await this.json<{ commit: { id: string } }>(`${at}/${encodeURIComponent(exact)}`)
    if (tagged) return { projectPath: project.path_with_namespace, sha: tagged.commit.id }
    const found = await this.commit(project, exact)
    return found === 'no-such-ref' ? 'no-such-version' : found
  }

  /** A file of a commit never changes, so its copy is as good. */
  async readFile({ projectPath, sha }: ProjectCommit, path: string): Promise<string | undefined> {
    const project = encodeURIComponent(projectPath)
    return this.text(
      `projects/${project}/repository/files/${encodeURIComponent(path)}/raw?ref=${sha}`,
      (server, at) => server.read(at),
      true,
    )
  }

  async listFiles({ projectPath, sha }: ProjectCommit): Promise<readonly string[]> {
    const at = `projects/${encodeURIComponent(projectPath)}/repository/tree?recursive=true&ref=${sha}`
    const entries = await this.json<{ type: string; path: string }[]>(at, (server) => server.readList(at))
    return (entries ?? []).flatMap(({ type, path }) => (type === 'blob' ? [path] : []))
  }

  close(): Promise<void> {
    this.remote.stop()
    return this.options.client.close()
  }

  private async project(path: string): Promise<Project | undefined> {
    return this.json<Project>(`projects/${encodeURIComponent(path)}`)
  }

  private async commit(
    { path_with_namespace: projectPath }: Project,
    ref: string,
  ): Promise<ProjectCommit | 'no-such-ref'> {
    const at = `projects/${encodeURIComponent(projectPath)}/repository/commits/${encodeURIComponent(ref)}`
    const found = await this.json<{ id: string }>(at)
    return found ? { projectPath, sha: found.id } : 'no-such-ref'
  }

  /** The language has one message for both reasons; here a token may be what is missing. */
  private async notFound(path: string): Promise<'not-found'> {
    if (await this.options.server?.hasToken()) return 'not-found'
    throw invalid(
      `Project \`${path}\` not found or access denied! ` +
        'Make sure any includes in the pipeline configuration are correctly defined. ' +
        'No token was sent: if the project is private, give one with --token or SWITCHYARD_TOKEN.',
    )
  }

  private async json<T>(
    at: string,
    read: (server: ServerClient, at: string) => Promise<T | undefined> = (server) => server.readJson<T>(at),
  ): Promise<T | undefined> {
    const text = await this.text(at, async (server) => {
      const found = await read(server, at)
      return found === undefined ? undefined : JSON.stringify(found)
    })
    return text === undefined ? undefined : (JSON.parse(text) as T)
  }

  /** `isFixed` = what was read once stays the same. */
  private async text(
    at: string,
    read: (server: ServerClient, at: string) => Promise<string | undefined>,
    isFixed = false,
  ): Promise<string | undefined> {
    const { server, copies, isOffline, warn } = this.options
    if (!server) throw invalid(NO_SERVER_KNOWN)
    const key = `${server.server.href} ${at}`
    const kept = await copies.read(key)
    if (kept && (isOffline || isFixed)) return kept.text
    if (isOffline) throw invalid(`${server.server.origin} was not asked for ${shown(at)}, because ${NO_COPY}`)
    try {
      const text = await read(server, at)
      if (text !== undefined) await copies.keep(key, text)
      return text
    } catch (error) {
      if (!(error instanceof ServerUnavailableError)) throw error
      if (!kept) throw invalid(error.message)
      warn(`${error.message}: the copy of ${formatTime(kept.fetchedAt)} is used`)
      return kept.text
    }
  }
}

interface Project {
  path_with_namespace: string
  default_branch: string | null
}

const NO_COPY = 'of --offline, and there is no copy of it: run once without --offline'

const NO_SERVER_KNOWN =
  'Files of other projects come from the server of the project, which is not known: ' +
  'add a git remote `origin`, or name the server with --server'

function shown(at: string): string {
  return decodeURIComponent(at.replace(/^projects\//, '').replace(/\?.*$/, ''))
}

function formatTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace(/\.\d+Z$/, 'Z')
}
