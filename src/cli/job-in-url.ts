import { SwitchyardError } from '../lib/errors.js'

/** An address is not that of a job. */
export class JobAddressError extends SwitchyardError {
  readonly name = 'JobAddressError'
  readonly code = 'JOB_ADDRESS'
}

export interface JobInUrl {
  server: URL
  /** Full path of the project. */
  project: string
  jobId: number
}

/** Reads the address of the page of a job. Throws `JobAddressError` for another address. */
export function jobInUrl(address: string): JobInUrl {
  const url = URL.canParse(address) ? new URL(address) : undefined
  const [, project, jobId] = /^\/(.+)\/-\/jobs\/(\d{1,15})(?:\/.*)?$/.exec(url?.pathname ?? '') ?? []
  if (!url || !/^https?:$/.test(url.protocol) || project === undefined || jobId === undefined) {
    throw new JobAddressError(
      `"${address}" is not the address of a job, such as https://switchyard.example.com/group/app/-/jobs/42`,
    )
  }
  return { server: new URL(url.origin), project: decodeURIComponent(project), jobId: Number(jobId) }
}
