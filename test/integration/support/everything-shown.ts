import type { Api } from './api.js'

export type Shown = Record<string, unknown>

/** What the API shows of all users, projects, branches, commits, events, pipelines, jobs and their files, by path. */
export async function everythingShown(api: Api): Promise<Shown> {
  const shown: Shown = {}
  const read = async <T>(path: string): Promise<T> => {
    const value = await readAll<T>(api, path)
    shown[path] = value
    return value
  }
  await read('/users')
  for (const { id } of await read<{ id: number }[]>('/projects')) {
    await read(`/projects/${id}/repository/branches`)
    await read(`/projects/${id}/repository/commits?all=true`)
    await read(`/projects/${id}/events`)
    await read(`/projects/${id}/pipelines`)
    for (const job of await read<JobShown[]>(`/projects/${id}/jobs`)) {
      Object.assign(shown, await filesOf(api, id, job))
    }
  }
  return shown
}

export interface JobShown {
  id: number
  status: string
  artifacts: unknown[]
  pipeline: unknown
}

export async function filesOf(api: Api, projectId: number, { id }: JobShown): Promise<Shown> {
  const path = `/projects/${projectId}/jobs/${id}`
  const trace = await api.request('GET', `${path}/trace`)
  const artifact = await api.request('GET', `${path}/artifacts?file_type=metrics`)
  return {
    // A job that has not begun has no log.
    [`${path}/trace`]: trace.status === 404 ? '' : await trace.text(),
    [`${path}/artifacts`]: [artifact.status, await artifact.text()],
  }
}

/** All pages of a list, without what changes with time alone. */
export async function readAll<T>(api: Api, path: string): Promise<T> {
  const all: unknown[] = []
  for (let page = 1; ; page++) {
    const separator = path.includes('?') ? '&' : '?'
    const records = await api.json<unknown[]>('GET', `${path}${separator}per_page=100&page=${page}`)
    all.push(...records)
    if (records.length < 100) break
  }
  const text = JSON.stringify(all, (key: string, value: unknown) => (CHANGING.has(key) ? undefined : value))
  return JSON.parse(text) as T
}

const CHANGING = new Set(['duration', 'queued_duration', 'current_sign_in_at', 'last_activity_on'])
