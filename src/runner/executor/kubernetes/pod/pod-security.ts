import type { JobLog } from '../../../trace/job-log.js'
import type { SecurityContext } from '../api-types.js'
import type { KubernetesExecutorSettings } from '../settings.js'
import { refusal } from './overwrites.js'

/**
 * Capabilities that engines grant by default and builds do not need. They allow forging packets of other pods on the same
 * bridge, creating device files, and writing to the audit log of the node.
 */
const DROPPED = ['AUDIT_WRITE', 'MKNOD', 'NET_RAW']

const ROOT = 0

type Settings = Pick<
  KubernetesExecutorSettings,
  | 'privileged'
  | 'allowPrivilegeEscalation'
  | 'capAdd'
  | 'capDrop'
  | 'podSecurityContext'
  | 'allowedUsers'
  | 'allowedGroups'
>

/** What a container with the processes of a job may do. `own`: its context in the settings. */
export function jobSecurity(settings: Settings, own: SecurityContext = {}): SecurityContext {
  return withEscalation(
    {
      ...own,
      privileged: own.privileged ?? settings.privileged,
      capabilities: own.capabilities
        ? { ...capabilities(settings.capAdd, settings.capDrop), ...withoutUndefined(own.capabilities) }
        : capabilities(settings.capAdd, settings.capDrop),
    },
    own.allowPrivilegeEscalation ?? settings.allowPrivilegeEscalation,
  )
}

/**
 * What a container of the runner may do. It has no need of what the settings add for jobs, but what they take away is often
 * a rule of the cluster. It is root if the settings name no user and do not forbid root, so that it can give files to any user of
 * a job, and read what that user creates. The user of its image is for coordinators.
 */
export function helperSecurity(settings: Settings, own: SecurityContext = {}): SecurityContext {
  const runAsUser = own.runAsUser ?? settings.podSecurityContext?.runAsUser
  const runAsNonRoot = own.runAsNonRoot ?? settings.podSecurityContext?.runAsNonRoot
  return withEscalation(
    {
      ...own,
      ...(runAsUser === undefined && runAsNonRoot !== true ? { runAsUser: ROOT } : {}),
      capabilities: own.capabilities
        ? { ...capabilities([], settings.capDrop), ...withoutUndefined(own.capabilities) }
        : capabilities([], settings.capDrop),
    },
    own.allowPrivilegeEscalation,
  )
}

function capabilities(added: readonly string[] = [], dropped: readonly string[] = []) {
  const named = new Set([...added, ...dropped])
  const others = named.has('ALL') ? [] : DROPPED.filter((name) => !named.has(name))
  const drop = [...dropped, ...others]
  return { add: added.length > 0 ? [...added] : undefined, drop: drop.length > 0 ? drop : undefined }
}

/** The API refuses `false` for containers that have all rights already. */
function withEscalation(context: SecurityContext, configured: boolean | undefined): SecurityContext {
  const added = context.capabilities?.add ?? []
  const isPowerful =
    context.privileged === true || added.some((name) => name === 'SYS_ADMIN' || name === 'ALL')
  return { ...context, allowPrivilegeEscalation: configured ?? (isPowerful ? undefined : false) }
}

function withoutUndefined<T extends object>(object: T): Partial<T> {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as Partial<T>
}

/**
 * The context with the user that the job wants, `user` or `user:group` as numbers. A user in the settings comes first, with a
 * line in the log. Throws an `ExecutorError` for a user that is no number or not allowed.
 */
export function withUser(
  context: SecurityContext,
  user: string | undefined,
  of: string,
  settings: Settings,
  log: Pick<JobLog, 'plain'>,
): SecurityContext {
  if (!user) return context
  const [uid = '', gid = ''] = user.split(':')
  const runAsUser = idOf({ id: uid, of, what: 'user', key: 'allowed_users' }, settings.allowedUsers)
  const runAsGroup = idOf({ id: gid, of, what: 'group', key: 'allowed_groups' }, settings.allowedGroups)
  const fixedUser = context.runAsUser ?? settings.podSecurityContext?.runAsUser
  const fixedGroup = context.runAsGroup ?? settings.podSecurityContext?.runAsGroup
  if (runAsUser !== undefined && fixedUser !== undefined) {
    log.plain(`The user ${runAsUser} of the ${of} is not used: the settings of the runner say ${fixedUser}`)
  }
  if (runAsGroup !== undefined && fixedGroup !== undefined) {
    log.plain(
      `The group ${runAsGroup} of the ${of} is not used: the settings of the runner say ${fixedGroup}`,
    )
  }
  return {
    ...context,
    runAsUser: context.runAsUser ?? (fixedUser === undefined ? runAsUser : undefined),
    runAsGroup: context.runAsGroup ?? (fixedGroup === undefined ? runAsGroup : undefined),
  }
}

function idOf(
  { id, of, what, key }: { id: string; of: string; what: string; key: string },
  allowed: readonly string[] = [],
): number | undefined {
  if (id === '') return undefined
  if (!/^\d{1,10}$/.test(id)) {
    throw refusal(`The ${what} "${id}" of the ${of} must be a number, because it runs in Kubernetes`)
  }
  if (allowed.length > 0 && !allowed.includes(String(Number(id)))) {
    const list = allowed.map((name) => `"${name}"`).join(', ')
    throw refusal(`The runner does not allow the ${what} "${id}" of the ${of}; allowed: ${list} (${key})`)
  }
  return Number(id)
}
