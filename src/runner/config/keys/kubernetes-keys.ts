import {
  RESOURCE_BOUNDS,
  RESOURCE_OWNERS,
  type ResourceBound,
  resourceKey,
  type ResourceName,
  type ResourceOwner,
  resourcesOf,
} from '../../executor/kubernetes/resource-settings.js'
import { keysOf, type KeyText, type KnownKey } from './known-key.js'

const MAXIMUM = '_overwrite_max_allowed'
const TABLE = 'JSON: keys as in the file'
const PATTERN = 'regular expression (RE2) of what jobs may set'

/** Keys of `[runners.kubernetes]`. */
export const KUBERNETES_KEYS: KnownKey[] = keysOf(
  ['kubernetes'],
  { flag: 'kubernetes', variable: 'KUBERNETES' },
  {
    host: ['string', 'address of the API server (default: the cluster of the runner, or KUBECONFIG)'],
    kubeconfig: ['string', 'kubeconfig file', { variable: 'KUBERNETES_KUBECONFIG' }],
    context: ['string', 'context of the kubeconfig file', { variable: 'KUBECTL_CONTEXT' }],
    cert_file: ['string', 'client certificate for the API server'],
    key_file: ['string', 'key of the client certificate'],
    ca_file: ['string', 'certificate authority of the API server'],
    bearer_token: ['string', 'token for the API server', underscored('bearer_token')],
    bearer_token_overwrite_allowed: [
      'boolean',
      'let jobs set the token',
      underscored('bearer_token_overwrite_allowed'),
    ],
    cluster_away_timeout: [
      'integer',
      'seconds that running jobs wait for an API server that does not respond',
    ],
    image: ['string', 'image for jobs that name none'],
    helper_image: ['string', 'image with this program and git'],
    helper_image_flavor: ['string', 'flavor of the helper image'],
    helper_image_autoset_arch_and_os: ['boolean', 'choose the helper image by the node'],
    namespace: ['string', 'namespace of the pods'],
    namespace_overwrite_allowed: ['string', PATTERN, underscored('namespace_overwrite_allowed')],
    namespace_per_job: ['boolean', 'a namespace for each job', underscored('namespace_per_job')],
    service_account: ['string', 'service account of the pods'],
    service_account_overwrite_allowed: ['string', PATTERN, underscored('service_account_overwrite_allowed')],
    automount_service_account_token: ['boolean', 'mount its token in the pods'],
    image_pull_secrets: ['list', 'secret with credentials for images'],
    use_service_account_image_pull_secrets: ['boolean', 'use only the secrets of the service account'],
    pull_policy: ['one-or-more', 'always, if-not-present or never'],
    allowed_pull_policies: ['list', 'pull policy that jobs may request'],
    allowed_images: ['list', 'pattern of images that jobs may use'],
    allowed_services: ['list', 'pattern of services that jobs may use'],
    allowed_users: ['list', 'number of a user that jobs may request'],
    allowed_groups: ['list', 'number of a group that jobs may request'],
    privileged: ['boolean', 'run containers privileged: jobs get root access to their node'],
    allow_privilege_escalation: ['boolean', 'let processes get more rights, as with sudo (default: no)'],
    cap_add: ['list', 'capability to add'],
    cap_drop: ['list', 'capability to drop'],
    pod_security_context: ['table', TABLE],
    build_container_security_context: ['table', TABLE],
    helper_container_security_context: ['table', TABLE],
    service_container_security_context: ['table', TABLE],
    init_permissions_container_security_context: ['table', TABLE],
    node_selector: ['map', 'key=value of a label of the nodes'],
    node_selector_overwrite_allowed: ['string', PATTERN, underscored('node_selector_overwrite_allowed')],
    node_tolerations: ['map', 'key=effect of a taint of the nodes'],
    node_tolerations_overwrite_allowed: [
      'string',
      PATTERN,
      underscored('node_tolerations_overwrite_allowed'),
    ],
    affinity: ['table', TABLE],
    scheduler_name: ['string', 'scheduler of the pods'],
    priority_class_name: ['string', 'priority class of the pods', underscored('priority_class_name')],
    runtime_class_name: ['string', 'runtime class of the pods'],
    ...resourceKeys(),
    pod_labels: ['map', 'key=value, with variables of the job'],
    pod_labels_overwrite_allowed: ['string', PATTERN, underscored('pod_labels_overwrite_allowed')],
    pod_annotations: ['map', 'key=value, with variables of the job'],
    pod_annotations_overwrite_allowed: ['string', PATTERN, underscored('pod_annotations_overwrite_allowed')],
    volumes: ['table', TABLE],
    services: ['tables', 'image, or JSON with name, alias, command, entrypoint'],
    host_aliases: ['tables', 'JSON with ip and hostnames', underscored('host_aliases')],
    dns_policy: ['string', 'none, default, cluster-first or cluster-first-with-host-net'],
    dns_config: ['table', TABLE],
    container_lifecycle: ['table', TABLE],
    pod_spec: ['tables', 'JSON with name, patch or patch_path, patch_type'],
    poll_timeout: ['integer', 'seconds that a pod may take until its containers run (default: 180)'],
    poll_interval: ['integer', 'seconds between two looks at a pod'],
    cleanup_grace_period_seconds: [
      'integer',
      'seconds for the processes of a pod whose job has ended',
      underscored('cleanup_grace_period_seconds'),
    ],
    pod_termination_grace_period_seconds: [
      'integer',
      'the same, whatever deletes the pod',
      underscored('pod_termination_grace_period_seconds'),
    ],
    terminationGracePeriodSeconds: ['integer', 'older name of both'],
    cleanup_resources_timeout: [
      'string',
      'limit for deleting pods',
      underscored('cleanup_resources_timeout'),
    ],
    resource_availability_check_max_attempts: ['integer', 'attempts to find secrets and accounts'],
    retry_limit: ['integer', 'attempts of a call', { variable: 'KUBERNETES_REQUEST_RETRY_LIMIT' }],
    retry_backoff_max: [
      'integer',
      'milliseconds between attempts',
      { variable: 'KUBERNETES_REQUEST_RETRY_BACKOFF_MAX' },
    ],
    retry_limits: ['table', TABLE],
    print_pod_warning_events: [
      'boolean',
      'write why a pod does not run yet into the log of the job (default: yes)',
    ],
    pod_disruption_budget: ['boolean', 'protect pods when nodes are drained'],
    logs_base_dir: ['string', 'directory for logs'],
    scripts_base_dir: ['string', 'directory for scripts'],
    suspend_pvc_size: ['string', 'size of the volume of suspended jobs'],
    suspend_pvc_storage_class: ['string', 'storage class of that volume'],
    autoscaler: ['table', TABLE],
  },
)

/** The reference runner keeps the underscores of some keys in their flags. */
function underscored(key: string): Partial<KnownKey> {
  return { alias: `--kubernetes-${key}` }
}

function resourceKeys(): Record<string, KeyText> {
  const keys = RESOURCE_OWNERS.flatMap((owner) =>
    resourcesOf(owner).flatMap((resource) =>
      RESOURCE_BOUNDS.flatMap((bound) => resourceTexts(owner, resource, bound)),
    ),
  )
  return Object.fromEntries(keys)
}

function resourceTexts(
  owner: ResourceOwner,
  resource: ResourceName,
  bound: ResourceBound,
): [string, KeyText][] {
  const key = resourceKey(owner, resource, bound)
  const of =
    owner === 'pod'
      ? 'of the whole pod'
      : owner === 'service'
        ? 'of each service'
        : `of the container ${owner}`
  const example = resource === 'cpu' ? '500m' : '512Mi'
  return [
    [key, ['string', `${bound} ${of}, such as ${example}`]],
    [`${key}${MAXIMUM}`, ['string', `up to which jobs may set ${key}`]],
  ]
}
