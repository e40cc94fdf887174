import type { V1EnvVar } from '@kubernetes/client-node'

import type { JobLog } from '../../../trace/job-log.js'

const ENV_NAME = /^(?!\.\.?$)(?!\.\.)[-._a-zA-Z][-._a-zA-Z0-9]*$/

/** The text that a node turns into this one: `$(NAME)` would be replaced, and `$$` becomes `$`. Other `$` stay. */
export function literal(text: string): string {
  return text.replaceAll(/\$(?=[$(])/g, '$$$$')
}

/** The environment of a container. Variables whose names the API refuses are left out with a warning. */
export function containerEnv(
  environment: Record<string, string>,
  of: string,
  log: Pick<JobLog, 'warning'>,
): V1EnvVar[] | undefined {
  const wrong = Object.keys(environment).filter((name) => !ENV_NAME.test(name))
  if (wrong.length > 0) {
    log.warning(
      `The ${of} does not have ${wrong.join(', ')}: Kubernetes does not allow such names of variables`,
    )
  }
  const variables = Object.entries(environment)
    .filter(([name]) => ENV_NAME.test(name))
    .map(([name, value]) => ({ name, value: literal(value) }))
  return variables.length > 0 ? variables : undefined
}
