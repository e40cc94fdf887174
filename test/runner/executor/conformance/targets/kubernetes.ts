import { loadImage, openTestCluster, TEST_CLUSTER } from '../../../../support/test-cluster.js'
import { type Image, makeImage } from '../images.js'
import type { Target } from '../target.js'

/** Pods of the cluster that `SWITCHYARD_TEST_KUBECONFIG` names. */
export const KUBERNETES: Target = {
  name: 'kubernetes',
  missing: TEST_CLUSTER.missing,
  start: async () => {
    const cluster = await openTestCluster()
    const loaded = new Map<Image, Promise<void>>()
    return {
      runner: {},
      docker: {},
      engines: [],
      provide: async (images) => {
        for (const image of images) {
          const loading = loaded.get(image) ?? load(image)
          loaded.set(image, loading)
          await loading
        }
      },
      cluster: {
        settings: {
          kubeconfig: TEST_CLUSTER.kubeconfig,
          namespace: cluster.namespace,
          helper_image: TEST_CLUSTER.helperImage,
        },
        leftovers: (systemId) => cluster.leftovers(systemId),
        removePods: (systemId) => cluster.removePods(systemId),
      },
    }
  },
}

async function load(image: Image): Promise<void> {
  await makeImage(image)
  await loadImage(image)
}
