import { openBrowser } from '../../support/browser.js'
import type { Scene } from './scene.js'
import type { World } from './world.js'

/** A part of a path, and what for it is wanted. */
interface Wanted {
  /** The path parameter with its prefix: `/projects/:id/hooks/:hook_id`. */
  path: string
  /** The path of the prefix. */
  above: string
  name: string
  /** The operation. */
  route: string
}

type Key = string | number
type Maker = (scene: Scene, world: World, wanted: Wanted) => Key | Promise<Key>

/** The value of the parameter in an address; the object is created if none has that name. */
export async function keyOf(world: World, scene: Scene, wanted: Wanted): Promise<Key> {
  const id = `${wanted.path} ${wanted.name}`
  const known = scene.things.get(id)
  if (known !== undefined) return known
  const key = await (THINGS[wanted.path] ?? newThing)(scene, world, wanted)
  scene.things.set(id, key)
  return key
}

/** Most are made by a POST to what they are in. */
async function newThing(scene: Scene, world: World, { path, above, name }: Wanted): Promise<Key> {
  const at = path.lastIndexOf('/')
  const record = await world.makeAt<Record<string, Key>>(scene, `POST ${path.slice(0, at)}`, above, name)
  const key = record[KEYS[path.slice(at + 2)] ?? 'id']
  if (key === undefined) throw new Error(`Nothing stands for ${path}`)
  return key
}

/** Fields by which paths call things, where it is not the number. */
const KEYS: Record<string, string> = {
  key: 'key',
  name: 'name',
  branch: 'name',
  tag_name: 'tag_name',
  issue_iid: 'iid',
  epic_iid: 'iid',
  merge_request_iid: 'iid',
  feature_flag_name: 'name',
  iid: 'iid',
}

/** Reads the files of a job. */
const OF_FINISHED_JOB = /^GET .*\/jobs\/(:job_id\/(trace|artifacts)|artifacts\/)/

/** The id of the blob whose text is `a`. */
const BLOB_OF_A = '2e65efe2a145dda7ee51d1741299f848e5bf752e'

const idOf: Maker = (scene) => scene.user.id
const another: Maker = async (scene, world, { name }) => (await world.person(scene, name)).id

const wikiAttachment: Maker = async (scene, world, { path, name }) => {
  const route = `POST ${path.replace(/wiki_attachments.*/, 'wikis/attachments')}`
  return (await world.makeBy<{ file_path: string }>(scene, route, name)).file_path
}

const THINGS: Record<string, Maker> = {
  '/projects/:id': (scene, _world, { route }) =>
    OF_FINISHED_JOB.test(route) && scene.finishedJob ? scene.finishedJob.project : scene.project,
  '/groups/:id': (scene, _world, { route }) =>
    route.endsWith('/projects/:project_id') ? scene.friends : scene.group,
  '/users/:id': user,
  '/feature_flags/unleash/:project_id': (scene) => scene.project,
  '/users/:user_id': idOf,
  '/projects/user/:user_id': idOf,
  '/personal_access_tokens/:id': async (scene, world, { name }) =>
    (await world.makeBy(scene, 'POST /users/:user_id/personal_access_tokens', name)).id,
  '/runners/:id': async (scene, world, { name }) =>
    (await world.makeBy(scene, 'POST /user/runners', name)).id,
  '/issues/:id': async (scene, world, { name }) =>
    (await world.makeBy(scene, 'POST /projects/:id/issues', name)).id,
  '/todos/:id': async ({ user: as, project }, world, { name: title }) => {
    const issues = `/projects/${project}/issues`
    const { iid } = await world.make<{ iid: number }>(as, 'POST', issues, { title })
    return (await world.make(as, 'POST', `${issues}/${iid}/todo`)).id
  },
  '/groups/:id/epics/:epic_iid/issues/:issue_id': async (scene, world, { name }) =>
    (await world.makeBy(scene, 'POST /projects/:id/issues', name)).id,
  '/groups/:id/epics/:epic_iid/issues/:epic_issue_id': async (scene, world, { above, name }) => {
    const { id } = await world.makeBy(scene, 'POST /projects/:id/issues', name)
    return (await world.make(scene.user, 'POST', `${above}/${id}`)).id
  },
  // There are none, since they are made by git.
  '/projects/:id/repository/submodules/:submodule': () => 'lib',
  // There are none, since they need a version of a merge request.
  '/suggestions/:id': () => 1,
  '/projects/:id/external_status_checks/:check_id': async (scene, world, { name }) =>
    (await world.makeBy(scene, 'POST /projects/:id/external_status_checks', name)).id,
  // None has failed.
  '/projects/:id/merge_requests/:merge_request_iid/status_checks/:external_status_check_id': async (
    scene,
    world,
    { name },
  ) => (await world.makeBy(scene, 'POST /projects/:id/external_status_checks', name)).id,
  '/jobs/:id': (scene) => scene.job.id,
  ...threadsOf('/projects/:id/issues/:issue_iid'),
  ...threadsOf('/projects/:id/merge_requests/:merge_request_iid'),
  ...threadsOf('/groups/:id/epics/:epic_id'),
  ...threadsOf('/projects/:id/snippets/:snippet_id'),
  '/projects/:id/integrations/:slug': () => 'external-wiki',
  '/projects/:id/services/:slug': () => 'external-wiki',
  '/bulk_imports/:import_id/entities/:entity_id': async ({ user: as }, world, { above }) =>
    (await world.make<{ id: number }[]>(as, 'GET', above))[0]?.id ?? 0,
  '/user/chat_names/:chat_name_id': () => 1,
  '/user/authorized_applications/:application_id': () => 1,
  '/users/:id/authorized_applications/:application_id': () => 1,
  // Only the user registers one.
  '/users/:id/applications/:application_id': () => 1,
  // Providers are of the settings.
  '/user/identities/:provider': () => 'corp',
  '/scim_tokens/:provider': () => 'corp',
  // Only a browser session registers one.
  '/user/two_factor/passkeys/:passkey_id': () => 1,
  '/user/sessions/:session_id': async ({ user: { id } }, { database }) =>
    (await openBrowser(database, { id })).sessionId,
  '/users/:id/sessions/:session_id': async (_scene, { database }, { above }) =>
    (await openBrowser(database, { id: Number(above.split('/')[2]) })).sessionId,
  '/groups/:id/wikis/:slug': async (scene, world, { name }) =>
    (await world.makeBy<{ slug: string }>(scene, 'POST /groups/:id/wikis', name)).slug,
  '/projects/:id/wikis/:slug': async (scene, world, { name }) =>
    (await world.makeBy<{ slug: string }>(scene, 'POST /projects/:id/wikis', name)).slug,
  '/snippets/:id/files/:ref': () => 'main',
  '/snippets/:id/files/:ref/:file_path': () => 'a.md',
  '/projects/:id/snippets/:snippet_id/files/:ref': () => 'main',
  '/projects/:id/snippets/:snippet_id/files/:ref/:file_path': () => 'a.md',
  '/snippets/:id': async (scene, world, { name }) => (await world.makeBy(scene, 'POST /snippets', name)).id,
  ...threadsOf('/projects/:id/repository/commits/:sha'),
  '/jobs/:id/artifacts/uploads/:type': () => 'archive',
  '/admin/set_up/steps/:step': () => 'mail',
  '/groups/:id/projects/:project_id': (scene) => scene.project,
  '/projects/:id/fork/:forked_from_id': (scene) => scene.otherProject,
  '/projects/:id/ref/:ref': (scene) => scene.main,
  '/projects/:id/statuses/:sha': (scene) => scene.sha,
  '/projects/:id/repository/commits/:sha': commit,
  '/projects/:id/resource_groups/:key': () => 'one',
  '/projects/:id/test_cases/:digest': () => 'none',
  // Only a runner creates one.
  '/projects/:id/caches/:cache_id': () => '1',
  '/projects/:id/job_token_scope/allowlist/:target_project_id': async (scene, world, { name }) => {
    // What is listed already stays.
    await world.tryBy(scene, 'POST /projects/:id/job_token_scope/allowlist', name)
    return scene.otherProject
  },
  '/projects/:id/job_token_scope/groups_allowlist/:target_group_id': async (scene, world, { name }) => {
    await world.tryBy(scene, 'POST /projects/:id/job_token_scope/groups_allowlist', name)
    return scene.friends
  },
  '/projects/:id/hooks/:hook_id/test/:trigger': () => 'push_events',
  '/projects/:id/hooks/:hook_id/events/:hook_event_id': hookEvent,
  '/templates/gitignores/:key': () => 'Node',
  '/templates/gitlab_ci_ymls/:key': () => 'Nodejs',
  '/templates/dockerfiles/:key': () => 'Node',
  '/templates/licenses/:key': () => 'mit',
  '/projects/:id/templates/:type': () => 'gitignores',
  '/projects/:id/templates/:type/:name': () => 'Node',
  '/groups/:id/hooks/:hook_id/test/:trigger': () => 'push_events',
  '/groups/:id/hooks/:hook_id/events/:hook_event_id': hookEvent,
  '/users/:id/identities/:provider': async (scene, world, wanted) => {
    const path = `/users/${await user(scene, world, wanted)}`
    await world.make(world.root, 'PUT', path, { provider: 'saml', extern_uid: wanted.name })
    return 'saml'
  },
  '/projects/:id/repository/files/:file_path': async (scene, world, { name, route }) => {
    if (!route.startsWith('POST')) await world.makeBy(scene, 'POST /projects/:id/repository/commits', name)
    return `${name}.txt`
  },
  '/projects/:id/repository/tags/:tag_name': tag,
  '/projects/:id/runners/:runner_id': async (scene, world, { name }) => {
    await world.tryBy(scene, 'POST /projects/:id/runners', name)
    return scene.idleRunner
  },
  '/projects/:id/environments/:environment_id': async (scene, world, { name, route }) => {
    const { id } = await world.makeBy(scene, 'POST /projects/:id/environments', name)
    const path = `/projects/${scene.project}/environments/${id}/stop`
    if (route.startsWith('DELETE')) await world.make(scene.user, 'POST', path)
    return id
  },
  '/projects/:id/wiki_attachments/:file_path': wikiAttachment,
  '/groups/:id/wiki_attachments/:file_path': wikiAttachment,
  '/projects/:id/merge_trains/:target_branch': (scene) => scene.main,
  '/projects/:id/merge_trains/merge_requests/:merge_request_iid': async (scene, world, { name }) =>
    (await world.makeBy<{ iid: number }>(scene, 'POST /projects/:id/merge_requests', name)).iid,
  '/projects/:id/pipelines/:pipeline_id': async (scene, world, { name, route }) => {
    const { id } = await world.makeBy(scene, 'POST /projects/:id/pipeline', name)
    const path = `/projects/${scene.project}/pipelines/${id}/cancel`
    if (route.endsWith('/retry')) await world.make(scene.user, 'POST', path)
    return id
  },
  '/projects/:id/pipelines/:pipeline_id/stages/:name': () => 'build',
  '/projects/:id/jobs/:job_id': job,
  '/audit_events/:id': auditEvent,
  '/projects/:id/audit_events/:audit_event_id': auditEvent,
  '/groups/:id/audit_events/:audit_event_id': auditEvent,
  '/keys/:id': async (scene, world, { name }) => (await world.makeBy(scene, 'POST /user/keys', name)).id,
  '/namespaces/:id': (scene) => scene.group,
  '/namespaces/:path': (_scene, _world, { name }) => name,
  '/projects/:id/members/all/:user_id': idOf,
  '/projects/:id/import_project_members/:project_id': (scene) => scene.project,
  '/groups/:id/members/all/:user_id': idOf,
  '/projects/:id/repository/blobs/:sha': () => BLOB_OF_A,
  '/projects/:id/jobs/:job_id/artifacts/*artifact_path': () => 'a.txt',
  '/projects/:id/jobs/artifacts/:ref_name': (scene) => scene.main,
  '/projects/:id/jobs/artifacts/:ref_name/raw/*artifact_path': () => 'a.txt',
  '/projects/:id/jobs/artifacts/*ref_and_file': (scene) => `${scene.main}/download`,
  '/projects/:id/uploads/:secret': async (scene, world, { name }) => {
    const { url } = await world.makeBy<{ url: string }>(scene, 'POST /projects/:id/uploads', name)
    return url.split('/').at(-2) ?? ''
  },
  '/projects/:id/uploads/:secret/:filename': () => 'a.txt',
  '/projects/:id/releases/permalink/latest/*suffix_path': () => 'assets',
  '/projects/:id/releases/:tag_name/evidences/:evidence_id': async (scene, world, { above }) => {
    const release = above.replace(/\/evidences$/, '')
    const { evidences } = await world.make<{ evidences: { filepath: string }[] }>(scene.user, 'GET', release)
    return /\d+(?=\.json$)/.exec(evidences[0]?.filepath ?? '')?.[0] ?? ''
  },
  '/projects/:id/releases/:tag_name/downloads/*direct_asset_path': async (scene, world, { above, name }) => {
    const link = { name, url: 'https://a.example', direct_asset_path: `/${name}` }
    await world.make(scene.user, 'POST', above.replace(/downloads$/, 'assets/links'), link)
    return name
  },
  '/projects/:id/merge_requests/:merge_request_iid/versions/:version_id': version,
  ...eventsOf('/projects/:id/issues/:issue_iid'),
  ...eventsOf('/projects/:id/merge_requests/:merge_request_iid'),
  ...peopleOf('projects'),
  ...peopleOf('groups'),
  ...attributeOf('projects'),
  ...attributeOf('groups'),
  ...attributeOf('users'),
  ...keptByHook('/projects/:id/hooks/:hook_id'),
  ...keptByHook('/groups/:id/hooks/:hook_id'),
  ...keptByHook('/hooks/:id'),
}

async function user(scene: Scene, world: World, wanted: Wanted): Promise<number> {
  const { name, route } = wanted
  if (scene.target && !/\/(un)?follow$/.test(route)) return scene.target.id
  const { id } = await world.person(scene, name)
  const state = /(approve|reject)$/.test(route) ? 'blocked_pending_approval' : 'banned'
  if (/(approve|reject|unban)$/.test(route)) {
    await world.database.updateTable('user').set({ state }).where('id', '=', id).execute()
  }
  if (route.endsWith('/unfollow')) await world.make(scene.user, 'POST', `/users/${id}/follow`)
  return id
}

/** A commit to revert, or a commit of another branch to cherry-pick. */
async function commit(scene: Scene, world: World, { name, route }: Wanted): Promise<Key> {
  const isForeign = route.endsWith('/cherry_pick')
  if (!isForeign && !route.endsWith('/revert')) return scene.sha
  const at = isForeign ? { branch: `from-${name}`, start_branch: scene.main } : { branch: scene.main }
  const actions = [{ action: 'create', file_path: name, content: 'x' }]
  const path = `/projects/${scene.project}/repository/commits`
  return (await world.make(scene.user, 'POST', path, { ...at, commit_message: 'x', actions })).id
}

async function hookEvent(scene: Scene, world: World, { above, name }: Wanted): Promise<Key> {
  const path = above || `/projects/${scene.project}/hooks/${name}/events`
  await world.call(scene.user, 'POST', path.replace(/events$/, 'test/push_events'))
  const [event] = await world.make<{ id: number }[]>(scene.user, 'GET', path)
  return event?.id ?? 0
}

/** With a release, for operations that change one. */
async function tag(scene: Scene, world: World, { name, route }: Wanted): Promise<Key> {
  await world.makeBy(scene, 'POST /projects/:id/repository/tags', name)
  const path = `/projects/${scene.project}/repository/tags/${name}/release`
  if (route.startsWith('PUT')) await world.make(scene.user, 'POST', path, { description: 'x' })
  return name
}

/** The last one about the place that the address names, or about anything. */
async function auditEvent(scene: Scene, world: World, { above, name }: Wanted): Promise<Key> {
  await world.makeBy(scene, 'POST /projects/:id/variables', name)
  await world.makeBy(scene, 'POST /groups/:id/variables', name)
  const [event] = await world.make<{ id: number }[]>(world.root, 'GET', above)
  return event?.id ?? 0
}

/** The refresh in the background would make one. */
async function version(scene: Scene, world: World, { above }: Wanted): Promise<Key> {
  const record = above.slice(0, above.lastIndexOf('/'))
  const { id } = await world.make<{ id: number }>(scene.user, 'GET', record)
  const commits = { head_sha: scene.sha, base_sha: scene.sha, start_sha: scene.sha }
  const counts = { commit_count: 0, file_count: 0 }
  const made = await world.database
    .insertInto('merge_request_version')
    .values({ merge_request_id: id, ...commits, ...counts, pushed_by_id: null, created_at: Date.now() })
    .returning('id')
    .executeTakeFirstOrThrow()
  return made.id
}

/** Discussions are named by their own ID, and their notes are added by replies. */
function threadsOf(parent: string): Record<string, Maker> {
  return {
    [`${parent}/discussions/:discussion_id`]: async (scene, world, { above, name }) =>
      (await world.make<{ id: string }>(scene.user, 'POST', above, { body: name })).id,
  }
}

/** The events of an issue or a merge request, which arise from changes of it. */
function eventsOf(parent: string): Record<string, Maker> {
  const last: Maker = async (scene, world, { above, name }) => {
    const { id: milestone_id } = await world.makeBy(scene, 'POST /projects/:id/milestones', name)
    const changes = { labels: name, state_event: 'close', milestone_id }
    await world.make(scene.user, 'PUT', above.slice(0, above.lastIndexOf('/')), changes)
    const [event] = await world.make<{ id: number }[]>(scene.user, 'GET', above)
    return event?.id ?? 0
  }
  const kinds = ['label', 'milestone', 'state']
  return Object.fromEntries(kinds.map((kind) => [`${parent}/resource_${kind}_events/:event_id`, last]))
}

/** One that can be done that to. */
async function job(scene: Scene, world: World, { name, route }: Wanted): Promise<Key> {
  if (OF_FINISHED_JOB.test(route)) return scene.finishedJob?.id ?? scene.job.id
  const { id } = await world.makeBy(scene, 'POST /projects/:id/pipeline', name)
  const P = `/projects/${scene.project}`
  const jobs = await world.make<{ id: number; name: string }[]>(
    scene.user,
    'GET',
    `${P}/pipelines/${id}/jobs`,
  )
  const wanted = { play: 'ship', unschedule: 'later' }[route.slice(route.lastIndexOf('/') + 1)] ?? 'build'
  const found = jobs.find((each) => each.name === wanted)?.id ?? 0
  if (/(retry|erase)$/.test(route)) await world.make(scene.user, 'POST', `${P}/jobs/${found}/cancel`)
  return found
}

function peopleOf(places: string): Record<string, Maker> {
  const after = (parent: string, key: Maker): Maker => {
    return async (scene, world, wanted) => {
      // Who is there already stays.
      await world.tryBy(scene, `POST ${parent}`, wanted.name)
      return key(scene, world, wanted)
    }
  }
  const P = `/${places}/:id`
  return {
    [`${P}/members/:user_id`]: after(`${P}/members`, another),
    [`${P}/access_requests/:user_id`]: after(`${P}/access_requests`, another),
    [`${P}/invitations/:email`]: after(
      `${P}/invitations`,
      (_scene, _world, { name }) => `${name}@example.org`,
    ),
    [`${P}/share/:group_id`]: after(`${P}/share`, (scene) => scene.friends),
  }
}

function attributeOf(places: string): Record<string, Maker> {
  return {
    [`/${places}/:id/custom_attributes/:key`]: async (_scene, world, { above, route }) => {
      if (route.startsWith('DELETE')) await world.make(world.root, 'PUT', `${above}/team`, { value: 'v' })
      return 'team'
    },
  }
}

function keptByHook(path: string): Record<string, Maker> {
  const kept: Maker = async (_scene, world, { above, route }) => {
    if (route.startsWith('DELETE')) await world.make(world.root, 'PUT', `${above}/k`, { value: 'v' })
    return 'k'
  }
  return { [`${path}/url_variables/:key`]: kept, [`${path}/custom_headers/:key`]: kept }
}
