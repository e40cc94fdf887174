import type { ReleaseRequest } from '../../../protocol/release-request.js'
import { expandText } from '../../variables/job-variables.js'
import type { JobContext } from '../job-context.js'
import { failedScript, type JobOutcome, SUCCESS } from '../outcome.js'
import type { StageSignals } from './stage.js'

export type ReleaseNeeds = Pick<
  JobContext,
  'client' | 'job' | 'payload' | 'log' | 'variables' | 'workspace'
> &
  StageSignals

/** A longer text is not treated as a path. */
const MAX_PATH_LENGTH = 255
/** Maximum size of a description file, in bytes. */
const MAX_DESCRIPTION = 1_000_000

/**
 * Creates the release of a job with a request to the coordinator, authorized by the job token. The image of the job
 * needs no program for it (CI language, 3.14).
 */
export async function createRelease(job: ReleaseNeeds, wanted: ReleaseRequest): Promise<JobOutcome> {
  const { client, payload, log } = job
  const request = expandAll(wanted, (text) => expandText(text, job.variables.values))
  const description = await readDescription(job, request.description)
  log.plain(`Creating the release of ${request.tag_name}`)
  const refusal = await client.createRelease(job.job, payload.job_info.project_id, {
    ...request,
    description,
  })
  if (refusal === undefined) {
    log.plain(`Created the release of ${request.tag_name}`)
    return SUCCESS
  }
  log.error(`The release of ${request.tag_name} was not created: ${refusal}`)
  return failedScript(1)
}

function expandAll(wanted: ReleaseRequest, expand: (text: string) => string): ReleaseRequest {
  const { tag_name, description, name, tag_message, ref, milestones, released_at, assets } = wanted
  return {
    tag_name: expand(tag_name),
    description: expand(description),
    ref: expand(ref),
    ...(name !== undefined && { name: expand(name) }),
    ...(tag_message !== undefined && { tag_message: expand(tag_message) }),
    ...(milestones && { milestones: milestones.map(expand) }),
    ...(released_at !== undefined && { released_at: expand(released_at) }),
    ...(assets && {
      assets: {
        links: assets.links.map(({ name, url, filepath, link_type }) => ({
          name: expand(name),
          url: expand(url),
          ...(filepath !== undefined && { filepath: expand(filepath) }),
          ...(link_type !== undefined && { link_type: expand(link_type) }),
        })),
      },
    }),
  }
}

/** Returns the content of the file that `text` names, or else `text` itself. */
async function readDescription({ workspace, log, control }: ReleaseNeeds, text: string): Promise<string> {
  if (!mayBePath(text)) return text
  const name = text.replace(/^(\.\/)+/, '')
  const file = await workspace.readSmallFile(name, MAX_DESCRIPTION, control.work)
  if (file.kind === 'content') return file.content.toString('utf8')
  if (file.kind === 'too-large')
    log.warning(`${text} is larger than ${MAX_DESCRIPTION} bytes: its name is used as the description`)
  return text
}

function mayBePath(text: string): boolean {
  return text !== '' && text.length <= MAX_PATH_LENGTH && !/[\n\0]|^\/|(^|\/)\.\.(\/|$)|^\.?\/?$/.test(text)
}
