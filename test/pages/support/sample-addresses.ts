import { addressOf } from '../../../src/addresses/address-of.js'
import { type PageName, PAGES } from '../../../src/addresses/page-table.js'
import type { RunningDemo } from './demo.js'

/** Parameters of an address by name; other than in the table, some pages need a query too. */
interface Sample {
  params?: Record<string, string>
  query?: Record<string, string>
  /** User name, if the administrator sees less. */
  as?: string
}

/** An address of a page, and the ID of the user who opens it. */
export interface SampleAddress {
  address: string
  as: number
}

const ROOT = 1

interface Place extends RunningDemo {
  /** IDs in the API of the projects of the demo, by path. */
  ids: Record<string, number>
}

const API = 'atlas/api'
const WEB = 'atlas/web'
const INFRASTRUCTURE = 'platform/infrastructure'

/** Values of parameters for pages that `samples` does not name. */
const DEFAULTS: Record<string, string> = {
  project: API,
  group: 'atlas',
  path: API,
  ref_path: 'main',
  ref: 'main',
  iid: '1',
  record: '',
  slug: 'Operations/Release',
  view: '',
  root: 'dashboard',
}

/** What the pages show whose parameters are not those of `DEFAULTS`. */
const samples: Partial<Record<PageName, (place: Place) => Promise<Sample>>> = {
  'admin/runner': async ({ scene }) => ({ params: { id: String(scene.runners[0]?.id) } }),
  'admin/user': () => Promise.resolve({ params: { username: 'jonas' } }),
  'admin/hook': async ({ read }) => ({ params: { id: await first(read, '/hooks') } }),
  'groups/runner': async (place) => ({
    params: { group: 'atlas/mobile', id: await runner(place, 'mac-mini-01') },
  }),
  'groups/import-report': async ({ post }) => {
    // No server responds at the address, which is kept for documentation.
    const { id } = await post<{ id: number }>('/bulk_imports', {
      configuration: { url: 'https://203.0.113.1', access_token: 'none' },
      entities: [
        { source_type: 'group_entity', source_full_path: 'company/team', destination_namespace: '' },
      ],
      dry_run: true,
    })
    await post(`/bulk_imports/${id}/cancel`)
    return { params: { id: String(id) } }
  },
  'runners/runner': async (place) => ({ params: { id: await runner(place, 'benchmarks') } }),
  'wikis/view': () => Promise.resolve({ params: { view: 'history' } }),
  'wikis/group-view': () => Promise.resolve({ params: { slug: 'Rotation', view: 'edit' } }),
  'wikis/group-page': () => Promise.resolve({ params: { slug: '' } }),
  'snippets/snippet': snippet,
  'snippets/own-snippet': ownSnippet,
  'issues/issue': async ({ read, ids }) => {
    const [issue] = await read<{ iid: number }[]>(
      `/projects/${ids[API]}/issues?labels=performance&milestone=Any`,
    )
    return { params: { iid: String(issue?.iid) } }
  },
  'merge-requests/merge-request': requestWithThreads,
  'merge-requests/commits': requestWithThreads,
  'merge-requests/pipelines': requestWithThreads,
  'merge-requests/changes': requestWithThreads,
  'merge-requests/new': () =>
    Promise.resolve({ query: { 'merge_request[source_branch]': 'document-errors' } }),
  'issues/board': async ({ read, ids }) => ({
    params: { id: await first(read, `/projects/${ids[API]}/boards`) },
  }),
  'issues/group-board': async ({ read }) => ({ params: { id: await first(read, '/groups/atlas/boards') } }),
  'issues/new': () => Promise.resolve({ query: { issuable_template: 'Bug' } }),
  'environments/environment': async ({ read, ids }) => ({
    params: { id: await first(read, `/projects/${ids[API]}/environments?name=production`) },
  }),
  'groups/hook': async ({ read }) => ({ params: { id: await first(read, '/groups/atlas/hooks') } }),
  'settings/hook': async ({ read, ids }) => ({
    params: { id: await first(read, `/projects/${ids[API]}/hooks`) },
  }),
  'pipelines/pipeline': async ({ scene }) => ({
    params: { project: scene.manyJobs.project, id: String(scene.manyJobs.pipeline) },
    query: { view: 'graph' },
  }),
  'pipelines/failures': pipeline(WEB, 'status=failed'),
  'pipelines/needs': pipeline(API, 'ref=main'),
  'pipelines/waterfall': pipeline(API, 'status=success'),
  'pipelines/jobs': pipeline(API, 'status=success'),
  'pipelines/tests': async (place) => ({
    params: await failedTest(place, ({ last_failure }) => ({ id: String(last_failure.pipeline_id) })),
  }),
  'pipelines/variables': pipeline(INFRASTRUCTURE, 'source=api'),
  'pipelines/compare': pipeline(WEB, 'status=failed'),
  'pipelines/new': () => Promise.resolve({ query: { ref: 'main', 'var[REGION]': 'eu-north-1' } }),
  'jobs/job': async ({ scene }) => ({
    params: { project: scene.bigLog.project, id: String(scene.bigLog.job) },
  }),
  'jobs/terminal': async (place) => ({ params: { project: WEB, id: await jobWithFiles(place) } }),
  'jobs/artifacts': async (place) => ({ params: { project: WEB, id: await jobWithFiles(place), path: '' } }),
  'jobs/artifact': async (place) => ({
    params: { project: WEB, id: await jobWithFiles(place), path: 'dist/assets/main.css' },
  }),
  'jobs/compare': async (place) => ({
    params: await failedTest(place, ({ last_failure }) => ({ id: String(last_failure.job_id) })),
  }),
  'settings/integration': () => Promise.resolve({ params: { slug: 'slack' } }),
  'schedules/list': () => Promise.resolve({ params: { project: WEB } }),
  'schedules/edit': async ({ read, ids }) => {
    const [schedule] = await read<{ id: number; owner: { username: string } }[]>(
      `/projects/${ids[WEB]}/pipeline_schedules`,
    )
    const owner = schedule?.owner.username
    return { params: { project: WEB, id: String(schedule?.id) }, ...(owner !== undefined && { as: owner }) }
  },
  'code/tree': () => Promise.resolve({ params: { ref_path: 'main/internal' } }),
  'code/file': () => Promise.resolve({ params: { ref_path: 'main/internal/tiles/handler.go' } }),
  'code/edit': () => Promise.resolve({ params: { ref_path: 'main/internal/tiles/handler.go' } }),
  'code/blame': () => Promise.resolve({ params: { ref_path: 'main/internal/tiles/handler.go' } }),
  'code/commit': async ({ read, ids }) => ({
    params: { sha: (await read<{ id: string }[]>(`/projects/${ids[API]}/repository/commits`))[0]?.id ?? '' },
  }),
  'code/compare': () => Promise.resolve({ params: { project: API, revisions: 'v2.11.0...main' } }),
  search: () => Promise.resolve({ query: { search: 'tiles', scope: 'issues' } }),
  'projects/topic': () => Promise.resolve({ params: { name: 'typescript' } }),
  'home/todos': () => Promise.resolve({ as: 'jonas' }),
  'code/search': () => Promise.resolve({ query: { search: 'func', ref: 'main' } }),
  'code/tag': () => Promise.resolve({ params: { tag: 'v2.12.1' } }),
  'releases/release': () => Promise.resolve({ params: { tag: 'v2.12.1' } }),
  'releases/edit': () => Promise.resolve({ params: { tag: 'v2.12.1' } }),
  'tests/case': async (place) => ({
    params: await failedTest(place, ({ digest }) => ({ case: digest })),
  }),
  'tests/list': () => Promise.resolve({ params: { project: WEB } }),
}

/** The address of each page in the demo, and the names of the pages for which no sample has all parameters. */
export async function sampleAddresses(demo: RunningDemo): Promise<Map<PageName, SampleAddress | undefined>> {
  const place = { ...demo, ids: Object.fromEntries(demo.scene.projects.map(({ path, id }) => [path, id])) }
  const addresses = new Map<PageName, SampleAddress | undefined>()
  for (const name of Object.keys(PAGES) as PageName[]) {
    const { params = {}, query = {}, as } = (await samples[name]?.(place)) ?? {}
    const values = { ...DEFAULTS, ...params }
    const needed = [...PAGES[name].matchAll(/[:*](\w+)/g)].map(([, parameter = '']) => parameter)
    const isComplete = needed.every((parameter) => values[parameter] !== undefined)
    // The names of the parameters are those of the page.
    const address = isComplete ? addressOf(name, values as never, query) : undefined
    addresses.set(name, address === undefined ? undefined : { address, as: userOf(demo, as) })
  }
  return addresses
}

/** The ID of a user of the demo; without a name, of the administrator. */
export function userOf({ scene }: Pick<RunningDemo, 'scene'>, username: string | undefined): number {
  if (username === undefined) return ROOT
  const person = scene.people[username]
  if (!person) throw new Error(`The demo has no user ${username}`)
  return person.id
}

interface FailedTest {
  digest: string
  last_failure: { job_id: number; pipeline_id: number }
}

/**
 * Parameters of a page about a test that has failed and passed on one commit, so that its job has two attempts. Tests of the
 * demo fail at random, so its projects are tried one after the other.
 */
async function failedTest(
  { read, ids }: Place,
  paramsOf: (test: FailedTest) => Record<string, string>,
): Promise<Record<string, string>> {
  for (const project of [WEB, ...Object.keys(ids)]) {
    const [test] = await read<FailedTest[]>(`/projects/${ids[project]}/test_cases?flaky=true`)
    if (test) return { project, ...paramsOf(test) }
  }
  throw new Error('No test of the demo is flaky')
}

function pipeline(project: string, query: string): (place: Place) => Promise<Sample> {
  return async ({ read, ids }) => ({
    params: { project, id: await first(read, `/projects/${ids[project]}/pipelines?${query}`) },
  })
}

async function requestWithThreads({ read, ids }: Place): Promise<Sample> {
  const path = `/projects/${ids[API]}/merge_requests?source_branch=2-tiles-at-the-date-line`
  const [request] = await read<{ iid: number }[]>(path)
  return { params: { iid: String(request?.iid) } }
}

async function snippet({ read, ids }: Place): Promise<Sample> {
  return { params: { id: await first(read, `/projects/${ids[API]}/snippets`) } }
}

async function ownSnippet({ read }: Place): Promise<Sample> {
  return { params: { id: await first(read, '/snippets/all'), view: 'edit' } }
}

async function runner({ scene }: Place, description: string): Promise<string> {
  return String(scene.runners.find((each) => each.description === description)?.id)
}

async function jobWithFiles({ read, ids }: Place): Promise<string> {
  const jobs = await read<{ id: number; name: string }[]>(
    `/projects/${ids[WEB]}/jobs?scope[]=success&per_page=100`,
  )
  return String(jobs.find(({ name }) => name === 'bundle')?.id)
}

async function first(read: RunningDemo['read'], path: string): Promise<string> {
  const [record] = await read<{ id: number }[]>(path)
  if (!record) throw new Error(`${path} lists nothing`)
  return String(record.id)
}
