import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { loadImage, TEST_CLUSTER, type TestNamespace } from '../../support/test-cluster.js'
import type { System } from './system.js'

interface ClusterRunnerOptions {
  /** By default that of the test cluster. */
  kubeconfig?: string
  concurrent?: number
  /** Lines of `[runners.kubernetes]` and its tables. */
  settings?: string
}

/** Registers a runner whose jobs are pods of the namespace, by default with the image of the system, and starts its daemon. */
export async function startClusterRunner(
  system: System,
  { namespace }: TestNamespace,
  { kubeconfig = TEST_CLUSTER.kubeconfig, concurrent = 1, settings = '' }: ClusterRunnerOptions = {},
): Promise<void> {
  await loadImage(system.image)
  const template = join(system.directory, 'template.toml')
  await writeFile(template, `[[runners]]\n[runners.kubernetes]\n${settings}`)
  await system.startRunner({
    concurrent,
    networkMode: 'default',
    flags: [
      ...['--template-config', template],
      ...['--executor', 'kubernetes'],
      ...['--kubernetes-kubeconfig', kubeconfig, '--kubernetes-namespace', namespace],
      ...['--kubernetes-image', system.image, '--kubernetes-pull-policy', 'if-not-present'],
      ...['--kubernetes-helper-image', TEST_CLUSTER.helperImage],
    ],
  })
}
