/** A right at the API of a cluster, in the namespaces of the pods. */
export interface NeededRight {
  verb: string
  /** With the subresource, such as `pods/exec`. */
  resource: string
  /** What the runner does with it. Completes "to …". */
  purpose: string
  /** The jobs that need it. Undefined: all. Completes "for …". */
  onlyFor?: string
}

const WITH_CREDENTIALS = 'jobs with credentials for their images (DOCKER_AUTH_CONFIG, or of the coordinator)'
const WITH_WARNINGS =
  'jobs whose logs say why the cluster does not start their pods, such as a volume that cannot be mounted'
const WITH_SERVICE_LOGS = 'jobs that show the output of their services (CI_DEBUG_SERVICES)'

/**
 * What the runner must be allowed to do in the namespaces of its pods, and nothing else: `switchyard runner check` asks for these, and the
 * manifests in `config/kubernetes/` grant them.
 *
 * A secret is deleted with the pod that owns it, by the cluster itself, so no other right at secrets is needed, and the runner cannot read
 * those of others. Without the rights at `pods/exec` no job can run: the files and the scripts of a job are reached by commands in its pod.
 */
export const NEEDED_RIGHTS: readonly NeededRight[] = [
  { verb: 'create', resource: 'pods', purpose: 'create the pod of a job' },
  { verb: 'get', resource: 'pods', purpose: 'read the state of a pod, and adopt it after a restart' },
  {
    verb: 'list',
    resource: 'pods',
    purpose: 'find the pods of its jobs, and those that a killed runner has left',
  },
  { verb: 'watch', resource: 'pods', purpose: 'follow the pods of its jobs' },
  { verb: 'delete', resource: 'pods', purpose: 'delete the pod of a job that has ended' },
  { verb: 'create', resource: 'pods/exec', purpose: 'run commands in a pod, as newer API servers check it' },
  { verb: 'get', resource: 'pods/exec', purpose: 'run commands in a pod, as API servers check WebSockets' },
  { verb: 'get', resource: 'pods/log', purpose: 'read the output of services', onlyFor: WITH_SERVICE_LOGS },
  {
    verb: 'create',
    resource: 'secrets',
    purpose: 'give the nodes credentials for images',
    onlyFor: WITH_CREDENTIALS,
  },
  { verb: 'list', resource: 'events', purpose: 'read the warnings about a pod', onlyFor: WITH_WARNINGS },
  {
    verb: 'watch',
    resource: 'events',
    purpose: 'read the warnings about a pod while it waits',
    onlyFor: WITH_WARNINGS,
  },
]
