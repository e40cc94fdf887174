import type { NamedJobRecord } from './schema.js'
import type { NamedJob } from './store.js'

export function presentNamedJob(
  { id, name, project_id, full_path }: NamedJob,
  externalUrl: string,
): NamedJobRecord {
  return {
    id,
    name,
    project_id,
    project_path: full_path,
    web_url: `${externalUrl}/${full_path}/-/jobs/${id}`,
  }
}
