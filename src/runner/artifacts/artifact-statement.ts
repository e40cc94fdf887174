import { createHash } from 'node:crypto'

import { NotAFileError } from '../../archive/errors.js'
import { RUNNER_ARCHITECTURE, RUNNER_NAME, RUNNER_VERSION } from '../client/runner-info.js'
import type { JobVariables } from '../variables/job-variables.js'
import type { AddedFile, SelectedFiles, Workspace } from '../workspace/workspace.js'
import { fileNames } from './artifact-archive.js'
import type { UploadPlan } from './artifact-plan.js'

export interface Subject {
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
): Promise<AddedFile> {
  const name = `${fileName.replace(/\.zip$/, '')}-metadata.json`
  const names = fileNames(files).filter((file) => file !== name)
  const statement = provenance(variables.values, await subjectsOf(workspace, names))
  const started = new Date(variables.get('CI_JOB_STARTED_AT') ?? '')
  return {
    name,
    content: Buffer.from(JSON.stringify(statement, undefined, 1)),
    modified: Number.isNaN(started.getTime()) ? new Date(0) : started,
  }
}

async function subjectsOf(workspace: Pick<Workspace, 'openFile'>, names: string[]): Promise<Subject[]> {
  const subjects: Subject[] = []
  for (const name of names) {
    const sha256 = await digestOf(workspace, name)
    if (sha256 !== undefined) subjects.push({ name, digest: { sha256 } })
  }
  return subjects
}

/** Returns undefined for a link, which has no content of its own. */
async function digestOf(workspace: Pick<Workspace, 'openFile'>, name: string): Promise<string | undefined> {
  try {
    const { content } = await workspace.openFile(name)
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
export function provenance(values: Variables, subject: Subject[]) {
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
