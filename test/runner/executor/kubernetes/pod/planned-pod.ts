import type { ExecutorJob } from '../../../../../src/runner/executor/executor.js'
import { POD_PLACES } from '../../../../../src/runner/executor/helper-places.js'
import { planPod } from '../../../../../src/runner/executor/kubernetes/pod/plan-pod.js'
import type { PodPlan, PodRequest } from '../../../../../src/runner/executor/kubernetes/pod/pod-plan.js'
import type { KubernetesExecutorSettings } from '../../../../../src/runner/executor/kubernetes/settings.js'
import { expandText } from '../../../../../src/runner/variables/job-variables.js'

export interface Planned extends PodPlan {
  /** Lines that the plan wrote into the log of the job. */
  lines: string[]
  warnings: string[]
}

interface Given {
  job?: Partial<ExecutorJob>
  settings?: Partial<KubernetesExecutorSettings>
  /** Variables of the job. */
  variables?: Record<string, string>
  request?: Partial<PodRequest>
}

/** The plan of a pod for a job that asks for nothing, with settings that say nothing, except for what is given. */
export function planned({ job = {}, settings = {}, variables = {}, request = {} }: Given = {}): Planned {
  const [lines, warnings]: string[][] = [[], []]
  const values = new Map(Object.entries(variables))
  const plan = planPod({
    job: {
      jobId: 11,
      projectId: 7,
      pipelineId: 3,
      jobUrl: 'https://ci.example.com/group/project/-/jobs/11',
      sha: 'c0ffee',
      ref: 'main',
      concurrentProjectId: 0,
      image: { name: 'alpine:3.20' },
      timeoutSeconds: 3600,
      values,
      expand: (text) => expandText(text, values),
      ...job,
    },
    settings: {
      image: '',
      pollTimeoutSeconds: 180,
      runnerName: 'cluster',
      runnerShortToken: 'Tok_en-1',
      systemId: 's_0123456789ab',
      buildsDir: '/builds',
      ...settings,
    },
    defaultNamespace: 'ci',
    attempt: 'first',
    buildCommand: ['sh', '-c', 'echo $$; exec "$0"', '/switchyard/control'],
    places: { builds: '/builds', ...POD_PLACES },
    failedPolicies: new Map(),
    log: {
      plain: (text) => void lines?.push(text),
      warning: (text) => void warnings?.push(text),
    },
    ...request,
  })
  return { ...plan, lines: lines ?? [], warnings: warnings ?? [] }
}

/** The container of the pod with this name. */
export function containerOf({ pod }: Pick<PodPlan, 'pod'>, name: string) {
  const containers = [...(pod.spec?.initContainers ?? []), ...(pod.spec?.containers ?? [])]
  const container = containers.find((each) => each.name === name)
  if (!container) throw new Error(`The pod has no container "${name}"`)
  return container
}
