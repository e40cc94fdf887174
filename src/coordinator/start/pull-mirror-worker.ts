import { PullMirrorWorker } from '../hosting/pull-mirrors/pull-worker.js'
import type { PushDeps } from '../hosting/repositories/push/handle-push.js'
import type { Services } from './services/services.js'

/** Takes over branches and tags of the sources of pull mirrors. */
export function pullMirrorWorker(
  { secrets, egress }: Pick<Services, 'secrets' | 'egress'>,
  pushes: PushDeps,
): PullMirrorWorker {
  return new PullMirrorWorker({ pushes, secrets, addressOf: (url) => egress.addressOf(url) })
}
