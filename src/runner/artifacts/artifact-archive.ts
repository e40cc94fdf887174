import { createHash } from 'node:crypto'
import { posix } from 'node:path'
import { Readable } from 'node:stream'

import { NotAFileError } from '../../archive/errors.js'
import { SwitchyardError } from '../../lib/errors.js'
import { formatBytes } from '../../lib/format-bytes.js'
import type { JobArtifact } from '../../protocol/job-payload.js'
import type { ArtifactQuery } from '../client/coordinator-client.js'
import { RUNNER_ARCHITECTURE, RUNNER_NAME, RUNNER_VERSION } from '../client/runner-info.js'
import { expandText, type JobVariables } from '../variables/job-variables.js'
import type { AddedFile, CompressionLevel, SelectedFiles, Workspace } from '../workspace/workspace.js'

export interface ArtifactFiles {
  files: SelectedFiles
  level: CompressionLevel
  added: AddedFile[]
}

/** The selected names that may be files. Directories end in a slash. */
export function fileNames({ names }: SelectedFiles): string[] {
  return names.filter((name) => !name.endsWith('/'))
}

/** Whether there is nothing to upload. A format without directories needs at least one file. */
export function isNothing(format: ArtifactFormat, files: SelectedFiles): boolean {
  return (format === 'zip' ? files.names : fileNames(files)).length === 0
}

export interface ContentRequest {
  workspace: Pick<Workspace, 'zip' | 'gzip' | 'openFile'>
  format: ArtifactFormat
  content: ArtifactFiles
  /** In bytes. */
  limit?: number | undefined
  signal: AbortSignal
}

/**
 * Opens the bytes of one upload. Each call produces them from the start. Throws `ArtifactTooLargeError` if the size
 * is known in advance and exceeds the limit.
 */
export async function openContent(request: ContentRequest): Promise<Readable> {
  const { workspace, signal } = request
  const { files, level, added } = request.content
  switch (request.format) {
    case 'zip':
      return workspace.zip(files, level, signal, added)
    case 'gzip':
      return workspace.gzip(files, level, signal)
    case 'raw':
      return await openRaw(request, fileNames(files)[0] ?? '')
  }
}

async function openRaw(
  { workspace, limit = Infinity, signal }: ContentRequest,
  name: string,
): Promise<Readable> {
  const { size, content, close } = await workspace.openFile(name, signal)
  if (size <= limit) return Readable.from(content, { objectMode: false })
  await close()
  throw new ArtifactTooLargeError(limit, size)
}

/** The artifact exceeds the size limit that the coordinator sent with the job. */
export class ArtifactTooLargeError extends SwitchyardError {
  readonly name = 'ArtifactTooLargeError'
  readonly code = 'ARTIFACT_TOO_LARGE'

  /** `size` is in bytes. It is undefined if the limit was reached before the end. */
  constructor(limit: number, size?: number) {
    const is = size === undefined ? 'is larger' : `has ${formatBytes(size)}, which is more`
    super(`it ${is} than the ${formatBytes(limit)} that the coordinator accepts`)
  }
}

/** Number of bytes passed on so far. */
export interface Meter {
  bytes: number
}

/** Passes the bytes on and counts them. Throws `ArtifactTooLargeError` at the first byte beyond the limit. */
export async function* measured(
  content: AsyncIterable<Buffer>,
  meter: Meter,
  limit = Infinity,
): AsyncGenerator<Buffer> {
  for await (const chunk of content) {
    meter.bytes += chunk.length
    if (meter.bytes > limit) throw new ArtifactTooLargeError(limit)
    yield chunk
  }
}

const FORMATS = ['zip', 'gzip', 'raw'] as const
export type ArtifactFormat = (typeof FORMATS)[number]

/** How to upload one artifact: everything except its bytes. Serializable as JSON. */
export interface UploadPlan {
  /** `archive` or the type of a report. */
  type: string
  format: ArtifactFormat
  fileName: string
  query: ArtifactQuery
}

/** The plan for an artifact. Undefined for an unknown format (runner protocol, 2.10 and 5.1). */
export function planUpload(
  artifact: JobArtifact,
  values: ReadonlyMap<string, string>,
): UploadPlan | undefined {
  const format = FORMATS.find((known) => known === (artifact.artifact_format || 'zip'))
  if (format === undefined) return undefined
  return {
    type: artifact.artifact_type || 'archive',
    format,
    fileName: `${baseName(artifact, values)}${EXTENSIONS[format]}`,
    query: {
      expireIn: artifact.expire_in ?? undefined,
      format: artifact.artifact_format ?? undefined,
      type: artifact.artifact_type,
    },
  }
}

const EXTENSIONS: Record<ArtifactFormat, string> = { zip: '.zip', gzip: '.gz', raw: '' }

/** The last element of the name, with variables expanded (runner protocol, 5.1). */
function baseName(artifact: JobArtifact, values: ReadonlyMap<string, string>): string {
  const base = posix.basename(expandText(artifact.name || 'artifacts', values))
  return base === '' || base === '.' || base === '..' ? 'default' : base
}

/** Whether the `when` of an artifact matches the result of the job, and the artifact selects any files. */
export function isWanted(artifact: JobArtifact, isSuccess: boolean): boolean {
  const isEmpty = !artifact.untracked && !artifact.paths?.length
  if (isEmpty) return false
  const when = artifact.when ?? 'on_success'
  return when === 'always' || (when === 'on_success') === isSuccess
}

interface Subject {
  name: string
  digest: { sha256: string }
}

type Variables = ReadonlyMap<string, string>

/**
 * Creates `<name>-metadata.json` for `RUNNER_GENERATE_ARTIFACTS_METADATA`: an in-toto statement with the SLSA
 * provenance of the files, version 1 (runner protocol, 5.4).
 */
export async function statementFile(
  { workspace, variables }: { workspace: Workspace; variables: JobVariables },
  { fileName }: UploadPlan,
  files: SelectedFiles,
  signal: AbortSignal,
): Promise<AddedFile> {
  const name = `${fileName.replace(/\.zip$/, '')}-metadata.json`
  const names = fileNames(files).filter((file) => file !== name)
  const statement = provenance(variables.values, await subjectsOf(workspace, names, signal))
  const started = new Date(variables.get('CI_JOB_STARTED_AT') ?? '')
  return {
    name,
    content: Buffer.from(JSON.stringify(statement, undefined, 1)),
    modified: Number.isNaN(started.getTime()) ? new Date(0) : started,
  }
}

async function subjectsOf(
  workspace: Pick<Workspace, 'openFile'>,
  names: string[],
  signal: AbortSignal,
): Promise<Subject[]> {
  const subjects: Subject[] = []
  for (const name of names) {
    const sha256 = await digestOf(workspace, name, signal)
    if (sha256 !== undefined) subjects.push({ name, digest: { sha256 } })
  }
  return subjects
}

/** Returns undefined for a link, which has no content of its own. */
async function digestOf(
  workspace: Pick<Workspace, 'openFile'>,
  name: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  try {
    const { content } = await workspace.openFile(name, signal)
    const hash = createHash('sha256')
    for await (const chunk of content) hash.update(chunk)
    return hash.digest('hex')
  } catch (error) {
    if (error instanceof NotAFileError) return undefined
    throw error
  }
}

/**
 * Contains nothing that differs between two calls for the same job, such as an end time, because a repeated upload
 * must have the same bytes. Variables are listed by name only, without values.
 */
function provenance(values: Variables, subject: Subject[]) {
  const value = (name: string) => values.get(name) ?? ''
  const source = value('CI_PROJECT_URL')
  const job = value('CI_JOB_ID')
  const startedOn = value('CI_JOB_STARTED_AT')
  return {
    _type: 'https://in-toto.io/Statement/v1',
    subject,
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType: `${RUNNER_NAME}/${RUNNER_VERSION}`,
        externalParameters: {
          ...Object.fromEntries([...values.keys()].sort().map((name) => [name, ''])),
          entryPoint: value('CI_JOB_NAME'),
          source,
        },
        internalParameters: {
          architecture: RUNNER_ARCHITECTURE,
          executor: 'docker',
          job,
          name: value('CI_RUNNER_DESCRIPTION'),
        },
        resolvedDependencies: [{ uri: source, digest: { gitCommit: value('CI_COMMIT_SHA') } }],
      },
      runDetails: {
        builder: {
          id: `${source}/-/runners/${value('CI_RUNNER_ID')}`,
          version: { [RUNNER_NAME]: RUNNER_VERSION },
        },
        metadata: { invocationId: job, ...(startedOn && { startedOn }) },
      },
    },
  }
}
