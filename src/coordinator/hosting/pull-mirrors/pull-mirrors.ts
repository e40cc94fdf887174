import type { Project, User } from '../../access/caller.js'
import type { SecretBox } from '../../crypto/secret-box.js'
import type { Database } from '../../database/connect.js'
import { setProjectColumns } from '../../database/stores/project-store.js'
import { inTransaction } from '../../database/transaction.js'
import { againIfTaken } from '../../database/unique-violation.js'
import { problemOfRemote } from '../../egress/remote-repository.js'
import { apiError, invalidParameters, invalidRecord, notFound } from '../../http/errors.js'
import { presentMirrorUpdate } from '../present-mirror-update.js'
import { refuseMirrors } from '../refuse-mirrors.js'
import type { PullMirror, SetPullMirror } from './schema.js'
import {
  findPullMirror,
  insertPullMirror,
  type PullMirrorRow,
  requestPull,
  updatePullMirror,
} from './store.js'

export interface PullMirrorDeps {
  database: Database
  secrets: SecretBox
  /** Whether users may not connect to this IP address. */
  refuses: (address: string) => boolean
}

/** Throws 404 for a project that is no mirror. */
export async function requirePullMirror(database: Database, project: Project): Promise<PullMirrorRow> {
  const row = await findPullMirror(database, project.id)
  if (!row) throw notFound()
  return row
}

/**
 * Makes the project a mirror, or changes it; the caller is the user who changes its branches from then on. Throws 400 for
 * an invalid URL, and for one that must not be reached from the server.
 */
export function setPullMirror(
  deps: PullMirrorDeps,
  project: Project,
  user: User,
  params: SetPullMirror,
): Promise<PullMirrorRow> {
  return againIfTaken(() => savePullMirror(deps, project, user, params))
}

async function savePullMirror(
  deps: PullMirrorDeps,
  project: Project,
  user: User,
  params: SetPullMirror,
): Promise<PullMirrorRow> {
  const { database, secrets } = deps
  await refuseMirrors(database, user)
  const before = await findPullMirror(database, project.id)
  const address = addressOf(params, before && secrets.decrypt(before.url_encrypted))
  const problem = problemOfRemote(address, deps.refuses)
  if (problem !== undefined) throw invalidRecord({ url: [problem] })
  const values = {
    user_id: user.id,
    url_encrypted: secrets.encrypt(address),
    enabled: params.enabled ?? before?.enabled ?? true,
    only_protected_branches:
      params.only_mirror_protected_branches ?? before?.only_protected_branches ?? false,
    overwrites_diverged: params.mirror_overwrites_diverged_branches ?? before?.overwrites_diverged ?? false,
    triggers_pipelines: params.mirror_trigger_builds ?? before?.triggers_pipelines ?? false,
  }
  await inTransaction(database, async (tx) => {
    if (before) await updatePullMirror(tx, before.id, values)
    else await insertPullMirror(tx, { ...values, project_id: project.id })
    await setProjectColumns(tx, project.id, { mirror: values.enabled })
  })
  const row = await requirePullMirror(database, project)
  if (row.enabled) await requestPull(database, row.id)
  return requirePullMirror(database, project)
}

function addressOf({ url, auth_user, auth_password }: SetPullMirror, before: string | undefined): string {
  const given = url ?? before
  if (given === undefined) throw invalidParameters('url is missing')
  if ((auth_user === undefined && auth_password === undefined) || !URL.canParse(given)) return given
  const address = new URL(given)
  if (auth_user !== undefined) address.username = auth_user
  if (auth_password !== undefined) address.password = auth_password
  return address.href
}

/** Requests an update now. Throws 400 for a project that is no mirror. */
export async function startPull(database: Database, project: Project): Promise<PullMirrorRow> {
  const row = await findPullMirror(database, project.id)
  if (!row?.enabled) throw apiError('not_mirrored')
  await requestPull(database, row.id)
  return requirePullMirror(database, project)
}

export function presentPullMirror(
  { secrets }: Pick<PullMirrorDeps, 'secrets'>,
  row: PullMirrorRow,
): PullMirror {
  return {
    id: row.id,
    enabled: row.enabled,
    url: withoutCredentials(secrets.decrypt(row.url_encrypted)),
    mirror_trigger_builds: row.triggers_pipelines,
    only_mirror_protected_branches: row.only_protected_branches,
    mirror_overwrites_diverged_branches: row.overwrites_diverged,
    ...presentMirrorUpdate(row),
  }
}

function withoutCredentials(address: string): string {
  const url = new URL(address)
  if (url.username !== '') url.username = '*****'
  if (url.password !== '') url.password = '*****'
  return url.href
}
