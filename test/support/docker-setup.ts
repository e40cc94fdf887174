import { ensureBusybox } from '../../scripts/setup/busybox.mjs'
import { ensureDockerEngine } from '../../scripts/setup/docker-engine.mjs'
import { ensureOpenSshServer } from '../../scripts/setup/openssh.mjs'
import { ensureOtherEngines } from '../../scripts/setup/other-engines.mjs'
import { ensureRegistry } from '../../scripts/setup/registry.mjs'

/** Starts a Docker engine for tests that run containers, unless one responds, and stops it after them. */
export default async function setUpDocker(): Promise<() => Promise<void>> {
  await ensureBusybox()
  await ensureRegistry()
  await ensureOpenSshServer()
  if (process.env['SWITCHYARD_TEST_NIGHTLY'] === 'true') await ensureOtherEngines()
  const engine = await ensureDockerEngine()
  return () => engine.stop()
}
