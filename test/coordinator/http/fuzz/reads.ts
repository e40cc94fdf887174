import { buffer } from 'node:stream/consumers'

import { zipOf } from '../../support/zip.js'
import { picture, Sent } from '../at-once/bodies.js'
import { addJob, type Scene } from '../at-once/scene.js'
import { freshName, type World } from '../at-once/world.js'

/** With what an operation that reads is called. */
export interface Read {
  query?: Record<string, string>
  headers?: Record<string, string>
}

const badge = () => ({ query: { link_url: 'https://a.example', image_url: 'https://a.example/b' } })
const searched = () => ({ query: { scope: 'issues', search: 'a' } })
const asJob = ({ job }: Scene) => ({ headers: { 'job-token': job.token } })

const ofWikiPage = async (scene: Scene, world: World, address: string) => {
  const path = address.replace(/diff$/, 'versions')
  const [version] = await world.make<{ id: string }[]>(scene.user, 'GET', path)
  return { query: { to: version?.id ?? '' } }
}

/** By operation, with its address; those that are not here take nothing. */
export const READS: Record<string, (scene: Scene, world: World, address: string) => Read | Promise<Read>> = {
  'GET /search': searched,
  'GET /search/counts': searched,
  'GET /groups/:id/search/counts': searched,
  'GET /projects/:id/search/counts': searched,
  'GET /groups/:id/search': searched,
  'GET /groups/:id/-/search': searched,
  'GET /projects/:id/search': searched,
  'GET /projects/:id/-/search': searched,
  'GET /projects/pipelines_summary': ({ project }) => ({ query: { 'ids[]': String(project) } }),
  'GET /projects/:id/member_sources': () => ({ query: { 'user_ids[]': '1' } }),
  'GET /groups/:id/member_sources': () => ({ query: { 'user_ids[]': '1' } }),
  'GET /avatar': () => ({ query: { email: 'ann@example.com' } }),
  'GET /projects/:id/badges/render': badge,
  'GET /groups/:id/badges/render': badge,
  'GET /projects/:id/repository/changelog': ({ sha }) => ({ query: { version: '1.0.0', from: sha } }),
  'GET /projects/:id/repository/compare': ({ main, sha }) => ({ query: { from: sha, to: main } }),
  'GET /projects/:id/repository/branch_summaries': ({ main }) => ({ query: { 'branches[0]': main } }),
  'GET /projects/:id/pipelines/by_commit': ({ sha }) => ({ query: { 'shas[]': sha } }),
  'GET /projects/:id/repository/merge_base': ({ main, sha }) => ({
    query: { 'refs[0]': main, 'refs[1]': sha },
  }),
  'GET /projects/:id/repository/files/:file_path': ({ main }) => ({ query: { ref: main } }),
  'GET /projects/:id/wikis/:slug/diff': ofWikiPage,
  'GET /groups/:id/wikis/:slug/diff': ofWikiPage,
  'GET /projects/:id/jobs/artifacts/:ref_name/download': () => ({ query: { job: 'job' } }),
  'GET /projects/:id/jobs/artifacts/:ref_name/raw/*artifact_path': () => ({ query: { job: 'job' } }),
  'GET /projects/:id/jobs/artifacts/*ref_and_file': () => ({ query: { job: 'job' } }),
  'GET /projects/:id/jobs/:job_id/artifacts/folder': () => ({ query: { path: 'd' } }),
  'GET /projects/:id/jobs/:job_id/trace/search': () => ({ query: { q: 'a' } }),
  'GET /jobs/:id/cache': (scene) => ({ ...asJob(scene), query: { key: 'k' } }),
  'GET /jobs/:id/artifacts/uploads/:type': asJob,
  'GET /jobs/:id/signals': asJob,
  'GET /job': asJob,
  'GET /runners/queue/own': ({ runner }) => ({ headers: { 'runner-token': runner.token } }),
  'GET /live': ({ project }) => ({ query: { topics: `project/${project}` } }),
}

/** Adds what operations read that no other operation of a test leaves: files of a job, and pictures. */
export async function addFiles(world: World, scene: Scene): Promise<void> {
  const { user, group } = scene
  const { id: project } = await world.make(user, 'POST', '/projects', {
    name: freshName(),
    namespace_id: group,
    visibility: 'public',
  })
  const job = await addJob(world, project, user)
  const headers = { 'job-token': job.token }
  await world.make(
    user,
    'PATCH',
    `/jobs/${job.id}/trace`,
    new Sent('line\n', { ...headers, 'content-range': '0-4' }),
  )
  const zip = new Uint8Array(await buffer(await zipOf({ 'a.txt': 'a', 'd/a.txt': 'a' })))
  const form = new FormData()
  form.set('file', new Blob([zip]), 'artifacts.zip')
  await world.make(user, 'POST', `/jobs/${job.id}/artifacts`, new Sent(form, headers))
  await world.make(user, 'PUT', `/jobs/${job.id}`, { token: job.token, state: 'success' })
  await world.make(user, 'PUT', `/projects/${scene.project}`, picture())
  await world.make(user, 'PUT', `/groups/${group}`, picture())
  for (const place of [`/projects/${scene.project}`, `/groups/${group}`]) {
    await world.make(world.root, 'PUT', `${place}/custom_attributes/team`, { value: 'v' })
  }
  scene.finishedJob = { project, id: job.id }
  await world.tryBy(scene, 'PUT /jobs/:id/cache', freshName())
}
